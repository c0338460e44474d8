// continuo relink: how a folder is recognised, and saying that it belongs to another project. Shown first; nothing is deleted, and no
// text is touched: conversations are filed elsewhere, and the project learns of the folder.
import type { Command } from 'commander';
import type { Conversation } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import type { KnownProject } from '../../project/known-project.ts';
import { isProjectKey, type ProjectKey } from '../../project/project-key.ts';
import { createPlace, linkPlace, parsePlace } from '../../project/project-place.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { canAsk, openHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { confirm } from '../prompt/confirm.ts';
import { findProject, type NamedProject } from '../recall/find-project.ts';
import { fieldsOf, findHere, gatherHere, type Here } from '../recall/here.ts';
import { readFolder } from '../recall/read-folder.ts';
import { usageError } from '../usage-error.ts';
import { renderListed, withPreviews } from './list.ts';

const pageSize = 500;
const mostShown = 10;

interface RelinkOptions {
  to?: string;
  yes?: boolean;
}

export function define(command: Command, { commands: { relink } }: Help): void {
  command
    .argument('[folder]', relink.arguments.folder)
    .option('--to <project>', relink.options.to)
    .option('-y, --yes', relink.options.yes);
}

export async function run(context: Context, [folder]: readonly string[], { to, yes = false }: RelinkOptions): Promise<undefined> {
  const gathering = gatherHere(context, readFolder(context, folder));
  await using store = await openHome(context, 'read');
  const here = await findHere(context, store, gathering, { everyProject: true });
  if (to === undefined) return tellHow(context, here);
  const target = await findProject(context, store, here, to);
  // The store closes when this returns.
  return await moveTo(context, store, here, target, yes);
}

function tellHow(context: Context, here: Here): undefined {
  const { output, text, style } = context;
  const words = text.relink;
  const { evidence, match, key, known, unconfirmed } = here;
  const project = known.find((each) => each.key === key);
  const others = match.alsoFits.map((each) => describeKey(each, known));
  const json = {
    folder: evidence.path,
    key,
    name: project?.name ?? evidence.name,
    how: unconfirmed === undefined ? match.how : 'new',
    confidence: match.confidence,
    conversations: project?.conversations ?? 0,
    alsoFits: others,
    unconfirmed: unconfirmed ?? null,
  };
  output.result(json, () => {
    const claimed = unconfirmed === undefined ? undefined : describeKey(unconfirmed, known);
    return [
      words.folder(plainLine(evidence.path)),
      words.recognised(plainLine(json.name), plainLine(key)),
      `  ${words.how[json.how]}; ${words.confidence[match.confidence]}; ${words.conversations(json.conversations)}`,
      ...(claimed ? [style.yellow(words.unconfirmed(plainLine(claimed.name), claimed.key))] : []),
      ...(others.length > 0 ? [words.alsoFits, ...others.map((other) => `  ${describeOther(context, other)}`)] : []),
    ];
  });
  output.note(style.dim(words.howTo));
}

function describeOther({ style, text }: Context, { key, name, path, conversations }: ReturnType<typeof describeKey>): string {
  const facts = [key, ...(path === undefined ? [] : [path]), text.relink.conversations(conversations)];
  return `${style.cyan(plainLine(name))}  ${style.dim(plainLine(facts.join(' · ')))}`;
}

async function moveTo(
  context: Context,
  store: ConversationStore,
  here: Here,
  target: NamedProject,
  yes: boolean,
): Promise<undefined> {
  const { output, text, style } = context;
  const words = text.relink;
  const path = plainLine(here.evidence.path);
  const name = plainLine(target.name);
  if (!isProjectKey(target.key)) throw usageError(words.noConversations(name));
  const isLinked = here.key === target.key && here.match.seenHere;
  const moving = here.key === target.key ? [] : await listHeldHere(store, here);
  if (isLinked) {
    output.done({ folder: here.evidence.path, to: target.key, done: false, moved: [] }, () => words.same(name));
    return;
  }
  const anchor = await findAnchor(store, here.known, target.key);
  if (!anchor) throw usageError(words.noConversations(name));
  if (!output.json && !yes) {
    const shown = await withPreviews(store, moving.slice(0, mostShown));
    const table = shown.length === 0 ? [] : await renderListed(context, store, shown, false);
    const rest = moving.length > shown.length ? ['…'] : [];
    output.line(
      words.plan(path, name, plainLine(target.key)),
      moving.length === 0 ? words.movesNone : words.moves(moving.length),
      ...table,
      ...rest,
    );
  }
  const ids = moving.map(({ id }) => id);
  if (!yes && (output.json || !canAsk(context))) {
    if (output.json) output.result({ folder: here.evidence.path, to: target.key, done: false, moved: ids }, () => []);
    output.note(style.dim(words.howToDo));
    return;
  }
  if (!yes && !(await confirm(words.question))) throw new ContinuoError('not-confirmed');
  // The project learns of the folder first: should this end in the middle, a second run finds the rest.
  await store.mergeMeta(anchor.id, linkPlace(anchor.meta, createPlace(here.evidence)));
  for (const id of ids) await store.assign(id, { project: target.key });
  output.done({ folder: here.evidence.path, to: target.key, done: true, moved: ids }, () => words.done(path, name, ids.length));
}

/** Conversations that were held in this very folder and are filed under the project it had. */
async function listHeldHere(store: ConversationStore, { fields, evidence }: Here): Promise<Conversation[]> {
  const held: Conversation[] = [];
  for (const project of fields) {
    let cursor: string | undefined;
    do {
      const page = await store.list({ project, limit: pageSize, trash: 'include', ...(cursor !== undefined && { cursor }) });
      held.push(...page.items.filter((each) => placeOf(each) === evidence.path));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  return held;
}

function placeOf({ meta, project }: Conversation): string | undefined {
  return parsePlace(meta.place)?.path ?? project?.replace(/^path:/, '');
}

/** The newest conversation of the project: it tells of the folder from now on. */
async function findAnchor(
  store: ConversationStore,
  known: readonly KnownProject[],
  key: ProjectKey,
): Promise<Conversation | undefined> {
  const pages = await Promise.all(fieldsOf(key, known).map((project) => store.list({ project, limit: 1 })));
  return pages.flatMap(({ items }) => items).sort((a, b) => b.activeAt - a.activeAt)[0];
}

function describeKey(key: ProjectKey, known: readonly KnownProject[]) {
  const project = known.find((each) => each.key === key);
  const [path] = project?.paths ?? [];
  return { key, name: project?.name ?? key, ...(path !== undefined && { path }), conversations: project?.conversations ?? 0 };
}
