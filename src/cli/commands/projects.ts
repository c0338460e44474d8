// continuo projects: the projects conversations belong to; which of them are private, and making one so.
import type { Command } from 'commander';
import { configPath } from '../../config/config-file.ts';
import { setSetting } from '../../config/edit-config.ts';
import { describeProject } from '../../project/known-project.ts';
import { readProjectField } from '../../project/project-key.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Cell, type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { findProject } from '../recall/find-project.ts';
import { findHere, gatherHere, type Here, nameOf, workingFolder } from '../recall/here.ts';
import { noteAlike } from '../recall/note-alike.ts';
import { isNamed, listPrivate, listUnknownPrivate } from '../recall/private-projects.ts';
import { usageError } from '../usage-error.ts';

const actions = ['list', 'private'] as const;

interface ProjectRow {
  key: string;
  name: string;
  kind: 'git' | 'marker' | 'path' | 'name';
  path?: string;
  otherPaths: string[];
  remote?: string;
  conversations: number;
  lastSeen: number;
  private: boolean;
  here: boolean;
}

export function define(command: Command, { commands: { projects } }: Help): void {
  command
    .argument('[action]', projects.arguments.action)
    .argument('[project]', projects.arguments.project)
    .option('--off', projects.options.off);
}

export async function run(
  context: Context,
  [given = 'list', named]: readonly string[],
  { off = false }: { off?: boolean },
): Promise<undefined> {
  const action = readChoice(context, 'projects', given, actions);
  if ((action === 'private') !== (named !== undefined) || (off && action === 'list'))
    throw usageError(context.text.projects.usage);
  const gathering = gatherHere(context, workingFolder());
  await using store = await openHome(context, 'read');
  const here = await findHere(context, store, gathering, { everyProject: true });
  // The store closes when this returns.
  return await (named === undefined ? listProjects(context, store, here) : setPrivate(context, store, here, named, off));
}

async function listProjects(context: Context, store: ConversationStore, here: Here): Promise<undefined> {
  const { output, text } = context;
  const rows = await collectRows(context, store, here);
  if (output.json) return void output.result({ projects: rows }, () => []);
  if (rows.length === 0) output.note(text.projects.none);
  else output.line(...(await renderRows(context, rows)));
  noteAlike(context, here, false);
  const unknown = await listUnknownPrivate(context, store, here.known);
  if (unknown.length > 0) output.note(context.style.yellow(text.projects.unknownPrivate(plainLine(unknown.join(', ')))));
}

async function collectRows(context: Context, store: ConversationStore, here: Here): Promise<ProjectRow[]> {
  const closed = listPrivate(context, here.known);
  const known = here.known.map((project): ProjectRow => {
    const isHere = project.key === here.key;
    return { ...describeProject(project), private: closed.has(project.key), here: isHere };
  });
  // Names somebody chose belong to no folder; the store counts them.
  const { byProject } = await store.stats();
  const chosen = byProject.filter(({ name }) => readProjectField(name) === undefined);
  const named: ProjectRow[] = [];
  for (const { name, conversations } of chosen) {
    const [newest] = (await store.list({ project: name, limit: 1 })).items;
    if (!newest) continue;
    const facts = { otherPaths: [], conversations, lastSeen: newest.activeAt, private: closed.has(name), here: false };
    named.push({ key: name, name, kind: 'name', ...facts });
  }
  return [...known, ...named].sort((a, b) => b.lastSeen - a.lastSeen);
}

async function renderRows({ text, style, terminal, now }: Context, rows: readonly ProjectRow[]): Promise<string[]> {
  const words = text.projects;
  const { headings } = words;
  const columns: Column[] = [
    { heading: headings.name, narrow: 24 },
    { heading: headings.conversations, align: 'right', dispensable: 1 },
    { heading: headings.active, dispensable: 2 },
    { heading: headings.kind, dispensable: 3 },
    { heading: '' },
    { heading: headings.path, flexible: true, dispensable: 4 },
  ];
  const cells = rows.map((row): Cell[] => {
    const marks = [...(row.here ? [words.here] : []), ...(row.private ? [words.private] : [])];
    return [
      { text: plainLine(row.name), paint: style.cyan },
      { text: String(row.conversations) },
      { text: formatAgo(row.lastSeen, now(), text.time) },
      { text: words.kinds[row.kind], paint: style.dim },
      { text: marks.join(', '), paint: style.yellow },
      { text: plainLine(row.path ?? ''), paint: style.dim },
    ];
  });
  const ruler = await createRuler([...columns.map(({ heading }) => heading), ...cells.flat().map((cell) => cell.text)]);
  return renderTable(columns, cells, { ruler, width: terminal.columns, paintHeading: style.bold });
}

async function setPrivate(
  context: Context,
  store: ConversationStore,
  here: Here,
  named: string,
  off: boolean,
): Promise<undefined> {
  const { output, text, style } = context;
  // A copy must not open the project it only looks like.
  if (off && named === 'here' && here.unconfirmed !== undefined)
    throw usageError(text.projects.notFromCopy(plainLine(nameOf(here.unconfirmed, here.known)), here.unconfirmed));
  // Whoever asks for "here" in a folder that looks like a project means that project.
  const project = await findProject(context, store, here, named === 'here' ? (here.unconfirmed ?? named) : named);
  const setting = context.config()['recall.private_projects'];
  const listed = setting.value ?? [];
  const known = here.known.find(({ key }) => key === project.key);
  const means = (entry: string) =>
    entry === project.key || project.fields.includes(entry) || (known !== undefined && isNamed(known, entry));
  const wasPrivate = listed.some(means);
  const wanted = off ? listed.filter((entry) => !means(entry)) : [...listed, project.key];
  if (wasPrivate === off) await setSetting(configPath(context.home), 'recall.private_projects', wanted);
  const name = plainLine(project.name);
  const done = off ? text.projects.notPrivate(name) : text.projects.nowPrivate(name);
  const nothing = off ? text.projects.wasNotPrivate(name) : text.projects.wasPrivate(name);
  output.done({ key: project.key, name: project.name, private: !off, changed: wasPrivate === off }, () =>
    wasPrivate === off ? done : nothing,
  );
  if (wasPrivate === off && setting.origin.from === 'environment')
    output.note(
      style.yellow(text.config.overridden('recall.private_projects', text.config.origins.environment(setting.origin.variable))),
    );
}
