// continuo stats: how much is stored, and of what.
import { isProjectKey } from '../../project/project-key.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { projectLabel } from '../conversation-view.ts';
import { openHomeWithKey } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { formatSize } from '../output/size.ts';
import { type Cell, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { describeIndex, lookAtIndex } from '../recall/look-at-index.ts';
import { lookAtSessions } from '../team/look-at-sessions.ts';

const mostNamed = 10;

export function define(): void {}

export async function run(context: Context): Promise<undefined> {
  const { text, style } = context;
  const record = await loadHome(context.home);
  const opened = await openHomeWithKey(context, 'read');
  await using store = opened.store;
  const stats = await store.stats();
  const index = await lookAtIndex(context, opened);
  const census = await lookAtSessions(context, opened.key);
  const sessions = {
    sessions: census?.sessions ?? 0,
    teams: census?.teams ?? 0,
    bytes: census?.bytes ?? 0,
    unreadable: census?.unreadable.length ?? 0,
    setAside: census?.setAside.length ?? 0,
  };
  const json = {
    home: context.home,
    driver: record?.driver ?? null,
    encrypted: record?.encryption !== undefined,
    ...stats,
    sessions,
    index,
  };
  if (context.output.json) return void context.output.result(json, () => []);
  const words = text.stats;
  const rows: [string, string][] = [
    [words.home, plainLine(context.home)],
    [words.driver, record ? words.kept(record.driver, json.encrypted) : words.noStore],
    [words.conversations, words.ofThem(stats.conversations, stats.trashed, stats.pinned)],
    [words.entries, String(stats.entries)],
    [words.size, formatSize(stats.bytesOnDisk)],
    ...(census ? [[text.sessionFiles.label, describeSessions(context, sessions)] as [string, string]] : []),
    [text.index.label, describeIndex(context, index)],
    ...ranked(words.byAgent, stats.byAgent),
    ...ranked(words.byProject, await Promise.all(stats.byProject.slice(0, mostNamed).map((each) => withLabel(store, each)))),
  ];
  const ruler = await createRuler(rows.flat());
  const cells = rows.map(([name, value]): Cell[] => [{ text: name, paint: style.dim }, { text: value }]);
  const columns = [{ heading: '' }, { heading: '', flexible: true }];
  context.output.line(
    ...renderTable(columns, cells, { ruler, width: context.terminal.columns, paintHeading: style.bold }).slice(1),
  );
}

function describeSessions(
  { text }: Context,
  {
    sessions,
    teams,
    bytes,
    unreadable,
    setAside,
  }: { [count in 'sessions' | 'teams' | 'bytes' | 'unreadable' | 'setAside']: number },
): string {
  return text.sessionFiles.counted(sessions, teams, formatSize(bytes), unreadable + setAside);
}

/** A project by what people call it. */
async function withLabel<Count extends { name: string }>(store: ConversationStore, count: Count): Promise<Count> {
  const [newest] = isProjectKey(count.name) ? (await store.list({ project: count.name, limit: 1, trash: 'include' })).items : [];
  return newest ? { ...count, name: projectLabel(newest) ?? count.name } : count;
}

function ranked(heading: string, counts: readonly { name: string; conversations: number }[]): [string, string][] {
  return counts
    .slice(0, mostNamed)
    .map(({ name, conversations }, i) => [i === 0 ? heading : '', `${plainLine(name)} (${conversations})`]);
}
