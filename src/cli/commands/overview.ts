// continuo without a command and without text on stdin: what is stored, and what to do next. It never asks.
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { openHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';
import { commonRuler } from '../output/text-ruler.ts';
import { announceCleanup } from '../recall/announce-cleanup.ts';
import { listWithoutSubAgents } from '../transcripts/sub-agents.ts';
import { renderListed, withPreviews } from './list.ts';

const newestShown = 5;

export async function runOverview(context: Context): Promise<undefined> {
  const { output, text, style } = context;
  const record = await loadHome(context.home);
  await using store = await openHome(context, 'read');
  const { conversations, trashed, pinned, entries, bytesOnDisk } = await store.stats();
  const newest = await withPreviews(
    store,
    (await listWithoutSubAgents((query) => store.list(query), { limit: newestShown })).items,
  );
  if (output.json) {
    const stats = { conversations, trashed, pinned, entries, bytesOnDisk };
    output.result({ home: context.home, driver: record?.driver ?? null, ...stats, newest }, () => []);
    return;
  }
  const [latest] = newest;
  if (!latest) {
    output.line(
      trashed > 0 ? text.overview.onlyTrash(trashed) : text.overview.empty,
      '',
      text.overview.next,
      ...examples(text.overview.firstSteps),
    );
    return;
  }
  const head = text.overview.head(conversations - trashed, entries, plainLine(context.home));
  const table = await renderListed(context, store, newest, false);
  const steps = examples(text.overview.nextSteps(await shortenId(store, latest.id)));
  output.line(style.bold(head), '', ...table, '', text.overview.next, ...steps);
  await announceCleanup(context, store);

  function examples(list: readonly { command: string; means: string }[]): string[] {
    const columns = context.terminal.columns ?? Number.POSITIVE_INFINITY;
    const width = Math.max(...list.map(({ command }) => commonRuler.width(command)));
    const widest = Math.max(...list.map(({ means }) => commonRuler.width(means)));
    // Beside each other where there is room, else below.
    if (width + widest + 5 > columns)
      return list.flatMap(({ command, means }) => [`  ${style.cyan(command)}`, `      ${style.dim(means)}`]);
    return list.map(
      ({ command, means }) => `  ${style.cyan(command)}${' '.repeat(width - commonRuler.width(command))}   ${style.dim(means)}`,
    );
  }
}
