// The conversations of an account, as ChatGPT and Claude.ai hand them out: one file with a list of all of them, of any length. It is gone
// through one conversation at a time; a source knows where its own stands in the file, and is found by its id where that has changed. The
// current way through a conversation's messages is the conversation; every other way is a fork of it.
import { ContinuoError } from '../model/error.ts';
import { type Fields, isFields } from './fields.ts';
import { cutItems, JsonItems, parseItem } from './json-items.ts';
import type { MessageTree, TreeNode } from './message-tree.ts';
import { mostItemBytes } from './read-document.ts';
import { SessionBytes } from './session-bytes.ts';
import { kindOf, measureFiles, readHead, walkFiles } from './session-folder.ts';
import type {
  ReadTranscriptOptions,
  SkippedNote,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from './transcript-format.ts';

/** What a service's export looks like. */
export interface AccountShape {
  idOf(conversation: Fields): string | undefined;
  updatedAt(conversation: Fields): number | undefined;
  headerOf(conversation: Fields): TranscriptHeader;
  treeOf(conversation: Fields): MessageTree;
  /** Whether a message says anything worth a branch of its own. */
  isSaid(node: TreeNode): boolean;
  /** A function that takes the messages of one way, in order. */
  reader(conversation: Fields, id: string): (node: TreeNode) => TranscriptItem[];
}

/** Newer exports are cut into several files. */
export const exportName = /^conversations(?:-\d+)?\.jsonl?$/;
const zipHead = Buffer.from('PK\u0003\u0004', 'latin1');
/** Whoever asks for another answer hundreds of times gets the first of them. */
const mostBranches = 200;

export function isArchive(head: Buffer): boolean {
  return head.subarray(0, zipHead.length).equals(zipHead);
}

export async function* discoverExport(
  root: string,
  shape: AccountShape,
  accepts: (head: Buffer) => boolean,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if ((await kindOf(root)) === 'file') return yield* listConversations(root, shape, signal);
  for await (const item of walkFiles(root, { depth: 3, signal })) {
    if (item.type === 'skipped') yield item;
    else if (exportName.test(item.name)) {
      const head = await readHead(item.path).catch(() => Buffer.alloc(0));
      if (accepts(head)) yield* listConversations(item.path, shape, signal);
    }
  }
}

async function* listConversations(
  path: string,
  shape: AccountShape,
  signal: AbortSignal | undefined,
): AsyncGenerator<TranscriptSource | SkippedNote> {
  if (isArchive(await readHead(path, zipHead.length).catch(() => Buffer.alloc(0))))
    return yield { type: 'skipped', reason: 'unknown', what: 'zip archive: unpack it and import the folder', path };
  const { modifiedAt: changedAt } = await measureFiles([path]);
  for await (const { value, start, end } of conversationsIn(path, signal)) {
    const id = isFields(value) ? shape.idOf(value) : undefined;
    if (!isFields(value) || id === undefined) {
      const reason = value === tooLong ? 'too-long' : 'broken';
      yield { type: 'skipped', reason, what: value === endless ? 'document without its end' : 'conversation', path };
      continue;
    }
    const common = { path, size: end - start, modifiedAt: shape.updatedAt(value) ?? changedAt };
    yield { type: 'source', id, ...common, part: `${start}:${end}` };
    const branches = branchesOf(shape.treeOf(value), shape);
    for (const { first } of branches.slice(0, mostBranches))
      yield { type: 'source', id: `${id}/${first}`, ...common, part: `${start}:${end}:${first}` };
    for (const _ of branches.slice(mostBranches)) yield { type: 'skipped', reason: 'too-long', what: 'further branch', path };
  }
}

export async function* readExport(
  source: TranscriptSource,
  options: ReadTranscriptOptions,
  shape: AccountShape,
): AsyncGenerator<TranscriptItem> {
  const { from } = options;
  const [start = '', end = '', ...names] = (source.part ?? '').split(':');
  const first = names.length > 0 ? names.join(':') : undefined;
  const id = first === undefined ? source.id : source.id.slice(0, -first.length - 1);
  const conversation = await findConversation(source.path, id, { start: Number(start), end: Number(end) }, shape, options);
  if (conversation === tooLong) {
    yield { type: 'header', header: {} };
    yield { type: 'skipped', reason: 'too-long', what: 'conversation' };
    return yield { type: 'checkpoint', checkpoint: {} };
  }
  const tree = shape.treeOf(conversation);
  const leaf = first === undefined ? tree.current : tree.branches().find((branch) => branch.first === first)?.leaf;
  const header = shape.headerOf(conversation);
  if (first !== undefined) header.parent = { kind: 'fork', id };
  yield { type: 'header', header, ...(from && { resumed: false }) };
  const path = leaf === undefined ? [] : tree.path(leaf);
  const rewind = first === undefined ? rewindIn(tree, path, from) : undefined;
  // Not `yield*`, which costs several turns of the event loop for each.
  for (const item of readPath(path, shape.reader(conversation, id), rewind)) yield item;
  yield { type: 'checkpoint', checkpoint: leaf === undefined ? {} : { leaf } };
}

function* readPath(
  path: readonly TreeNode[],
  take: (node: TreeNode) => TranscriptItem[],
  rewind: { to: string } | undefined,
): Generator<TranscriptItem> {
  let isDue = false;
  for (const node of path) {
    let items: TranscriptItem[];
    try {
      items = take(node);
    } catch {
      items = [{ type: 'skipped', reason: 'broken', what: 'message' }];
    }
    const next = isDue ? items.find((item) => item.type === 'entry') : undefined;
    if (next && rewind) {
      const { at } = next.entry;
      const entry = { kind: 'event', name: 'conversation-rewind', text: '', meta: { to: rewind.to } } as const;
      yield { type: 'entry', id: `rewind:${next.id}`, entry: { ...entry, ...(at !== undefined && { at }) } };
      isDue = false;
    }
    yield* items;
    if (node.id === rewind?.to) isDue = true;
  }
}

/** Where the current way has left the one that was read before. */
function rewindIn(tree: MessageTree, path: readonly TreeNode[], from: Fields | undefined): { to: string } | undefined {
  const leaf = from?.leaf;
  if (typeof leaf !== 'string' || !tree.has(leaf) || path.some(({ id }) => id === leaf)) return undefined;
  const to = tree.meeting(leaf, path);
  return to === undefined ? undefined : { to };
}

function branchesOf(tree: MessageTree, shape: AccountShape) {
  return tree.branches().filter(({ own }) => own.some((node) => shape.isSaid(node)));
}

const tooLong = Symbol('too long');
const endless = Symbol('endless');

interface PlacedValue {
  value: unknown;
  start: number;
  end: number;
}

/** A conversation above the limit is {@link tooLong}; that the file ends early is the last value. */
async function* conversationsIn(
  path: string,
  signal?: AbortSignal | undefined,
  mostBytes: number = mostItemBytes,
): AsyncGenerator<PlacedValue> {
  const bytes = await SessionBytes.open(path);
  try {
    const items = new JsonItems({ places: [[]], takesValues: true, mostBytes });
    for await (const group of cutItems(bytes.from(0, signal), items))
      for (const item of group) {
        const { start, end } = item;
        yield { value: item.bytes ? parseItem(item) : tooLong, start, end };
      }
    if (!items.isWhole) yield { value: endless, start: 0, end: 0 };
  } finally {
    await bytes.close();
  }
}

/** Where it was found, or wherever it is now. */
async function findConversation(
  path: string,
  id: string,
  place: { start: number; end: number },
  shape: AccountShape,
  { signal, mostLineBytes = mostItemBytes }: ReadTranscriptOptions,
): Promise<Fields | typeof tooLong> {
  if (place.end - place.start > mostLineBytes) return tooLong;
  const found = await readPlace(path, place, signal);
  if (isFields(found) && shape.idOf(found) === id) return found;
  for await (const { value } of conversationsIn(path, signal, mostLineBytes))
    if (isFields(value) && shape.idOf(value) === id) return value;
  throw new ContinuoError('io-failed', { path, reason: 'the conversation is not in it any more' });
}

async function readPlace(
  path: string,
  { start, end }: { start: number; end: number },
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!(start >= 0 && end > start)) return undefined;
  const bytes = await SessionBytes.open(path);
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const chunk of bytes.from(start, signal)) {
      pieces.push(chunk);
      length += chunk.length;
      if (length >= end - start) break;
    }
    return JSON.parse(Buffer.concat(pieces).toString('utf8', 0, end - start));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    await bytes.close();
  }
}
