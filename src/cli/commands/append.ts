// continuo append: saves one message, in a new conversation or in one that is there.
import type { Command } from 'commander';
import type { Conversation, NewConversation } from '../../model/conversation.ts';
import type { Role } from '../../model/entry.ts';
import { isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { AppendResult, ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findName, toJson } from '../conversation-view.ts';
import { findConversation } from '../find-conversation.ts';
import type { Help } from '../messages/messages.ts';
import { openHome } from '../open-home.ts';
import { collect, readChoice, readSpan } from '../option-values.ts';
import { shortenId } from '../output/short-ids.ts';
import { readPolicy } from '../policy-option.ts';
import { readInput } from '../prompt/read-input.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';
import { usageError } from '../usage-error.ts';

const roles: readonly Role[] = ['user', 'assistant', 'system'];

interface AppendOptions {
  role?: string;
  title?: string;
  tag?: string[];
  key?: string;
  project?: string;
  team?: string;
  agent?: string;
  policy?: string;
  wait?: string;
}

export function define(command: Command, { commands: { append } }: Help): void {
  const { options } = append;
  command
    .argument('[id-or-text]', append.arguments.idOrText)
    .argument('[text]', append.arguments.text)
    .option('-r, --role <role>', options.role)
    .option('--title <title>', options.title)
    .option('--tag <tag>', options.tag, collect)
    .option('--key <key>', options.key)
    .option('--project <name>', options.project)
    .option('--team <name>', options.team)
    .option('--agent <name>', options.agent)
    .option('--policy <policy>', options.policy)
    .option('--wait <span>', options.wait);
}

export async function run(context: Context, args: readonly string[], options: AppendOptions): Promise<undefined> {
  const role = options.role === undefined ? 'user' : readChoice(context, '--role', options.role, roles);
  const wait = options.wait === undefined ? undefined : readSpan(context, '--wait', options.wait);
  const fresh = describeConversation(context, options);
  const { reference, text: given } = readArguments(context, args, options);
  const text = given === undefined || given === '-' ? await readInput(context) : given;
  if (text.trim() === '') throw usageError(context.text.usage.noText);

  await using store = await openHome(context, 'write');
  const begin = async () => ({ ...fresh, ...(await filedUnder(context, store, options.project)) });
  const { conversation, created } = await findOrCreate(context, store, reference, fresh.key, begin);
  const saved = await save(store, conversation.id, { kind: 'message', role, text }, wait);
  const swept = await sweepDue(context, store);
  const now = await store.get(conversation.id);
  const id = await shortenId(store, conversation.id);
  const json = { conversation: toJson(store, now), created, entries: saved.entries, masked: saved.masked, swept };
  const name = created ? undefined : await findName(store, now);
  context.output.done(json, () => describeSaved(context, saved, { id, created, name }), conversation.id);
  if (saved.masked > 0) context.output.note(context.style.yellow(context.text.append.masked(saved.masked)));
  noteSwept(context, swept);
  if (created && context.terminal.stdout) context.output.note(context.style.dim(context.text.append.goOn(id)));
}

/** One word may be the text of a new conversation or, where it can only be an id, the conversation that stdin continues. */
function readArguments(
  { text }: Context,
  args: readonly string[],
  options: AppendOptions,
): { reference?: string; text?: string } {
  const [first, second] = args;
  if (second !== undefined) {
    const forNew = Object.keys(options).filter((name) => name !== 'role' && name !== 'wait');
    if (forNew.length > 0) throw usageError(text.usage.onlyForNew(forNew.map((name) => `--${name}`).join(', ')));
    return { reference: first as string, text: second };
  }
  if (first === undefined) return {};
  return options.key === undefined && /^cnv_[0-9a-z]+$/i.test(first) ? { reference: first } : { text: first };
}

function describeConversation(
  context: Context,
  { policy, tag, title, key, project, team, agent }: AppendOptions,
): NewConversation {
  return {
    ...(title !== undefined && { title }),
    ...(key !== undefined && { key }),
    ...(project !== undefined && { project }),
    ...(team !== undefined && { team }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tags: tag }),
    ...(policy !== undefined && { policy: readPolicy(context, policy) }),
  };
}

/** "here" and folders mean the project they belong to; any other word is a name of the caller's choosing. */
async function filedUnder(context: Context, store: ConversationStore, project: string | undefined): Promise<NewConversation> {
  if (project !== 'here' && !/^(?:\.{1,2}(?:\/|$)|\/)/.test(project ?? '')) return {};
  const { findHere, gatherHere } = await import('../recall/here.ts');
  const { readFolder } = await import('../recall/read-folder.ts');
  const { beginHere } = await import('../recall/begin-here.ts');
  const folder = readFolder(context, project === 'here' ? '.' : project);
  const here = await findHere(context, store, gatherHere(context, folder));
  const { output, style } = context;
  return beginHere(context, store, here, {}, (line) => output.note(style.yellow(line)), 'person');
}

interface Found {
  conversation: Conversation;
  created: boolean;
}

async function findOrCreate(
  context: Context,
  store: ConversationStore,
  reference: string | undefined,
  key: string | undefined,
  begin: () => Promise<NewConversation>,
): Promise<Found> {
  if (reference !== undefined) return { conversation: await findNamed(context, store, reference), created: false };
  if (key === undefined) return { conversation: await store.create(await begin()), created: true };
  const known = await store.find(key);
  if (known) return { conversation: known, created: false };
  try {
    return { conversation: await store.create(await begin()), created: true };
  } catch (error) {
    // Another process made it in the meantime: continue that one.
    if (isContinuoError(error, 'key-taken')) return { conversation: await store.get(key), created: false };
    throw error;
  }
}

async function findNamed(context: Context, store: ConversationStore, reference: string): Promise<Conversation> {
  try {
    return await findConversation(store, reference);
  } catch (error) {
    // Most likely a text without quotes, of which the first word was taken for an id.
    const isText = isContinuoError(error, 'conversation-not-found') && !reference.startsWith('cnv_');
    if (isText) context.output.note(context.style.dim(context.text.append.quoteText));
    throw error;
  }
}

async function save(
  store: ConversationStore,
  id: ConversationId,
  entry: { kind: 'message'; role: Role; text: string },
  wait: number | undefined,
): Promise<AppendResult> {
  if (wait === undefined) return store.append(id, entry);
  await using _lease = await store.acquireLease(id, { owner: 'continuo append', wait });
  return await store.append(id, entry);
}

interface Place {
  id: string;
  created: boolean;
  name: string | undefined;
}

function describeSaved({ text, style }: Context, { entries }: AppendResult, { id, created, name }: Place): string {
  const seq = entries.at(-1)?.seq;
  if (seq === undefined) return text.append.notKept(style.cyan(id));
  return created ? text.append.savedNew(style.cyan(id)) : text.append.saved(seq, style.cyan(id), name);
}
