// Making, changing and removing a conversation's file, each within one turn.
import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Conversation, ConversationPatch } from '../../../model/conversation.ts';
import { ContinuoError, isContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import { applyPatch } from '../../conversation-patch.ts';
import type { Turn } from './coordination.ts';
import { rewriteSuffix } from './folder-walk.ts';
import type { LineCodec, Metadata } from './line-codec.ts';
import type { FoundLog, LogFinder } from './log-finder.ts';
import { absolutePath, isKeyedPath, keyedFolder, type LogPath, type LogPaths, parentsOf, syncFolder } from './log-path.ts';
import { createLog } from './log-writer.ts';
import type { Shelf } from './reconcile.ts';
import { createPlan, type WriteContext, writePlans } from './write-plan.ts';

export interface ConversationContext extends Shelf, WriteContext {
  paths: LogPaths;
  codec: LineCodec;
  finder: LogFinder;
}

export function insertLog(conversation: Conversation, turn: Turn, context: ConversationContext): void {
  const { folder, paths, logs, catalogue, codec, finder } = context;
  const { id, key } = conversation;
  if (finder.findKnown(id)) throw new ContinuoError('conversation-exists', { id });
  const path = paths.forConversation(conversation);
  const holder = logs.head(path)?.conversation.id;
  if (holder !== undefined) throw new ContinuoError('key-taken', { key, holder });

  const metadata: Metadata = { conversation, base: conversation.lastSeq, removed: 0, rewrites: 0, nextExpiresAt: null };
  const absolute = absolutePath(folder, path);
  logs.forget(path);
  try {
    // What is in the way now is a creation that was cut short and never acknowledged.
    rmSync(absolute, { force: true });
    // Twice: as long as it is the only metadata, one damaged byte must not cost the conversation.
    createLog(folder, path, codec.encodeMetadata(metadata) + codec.encodeMetadata(metadata));
    catalogue.remove(turn.connection, path);
    const head = logs.head(path);
    if (!head) throw new ContinuoError('io-failed', { path: absolute, reason: 'what was written cannot be read' });
    catalogue.put(turn.connection, path, head);
    turn.commit();
  } catch (error) {
    logs.forget(path);
    rmSync(absolute, { force: true });
    throw error;
  }
}

/** Adds a line with the new metadata; where the key is given up, the file moves to the place its id has. */
export async function updateLog(id: ConversationId, patch: ConversationPatch, turn: Turn, context: ConversationContext) {
  const found = context.finder.findKnown(id);
  if (!found) return undefined;
  const changed = applyPatch(found.head.conversation, patch);
  const givesKeyUp = changed.key === undefined && isKeyedPath(found.path);
  const { path, head } = givesKeyUp ? moveLog(found, context.paths.forId(id), context) : found;
  const plan = createPlan(path, head, false);
  plan.head.conversation = changed;
  plan.head.entriesSinceMetadata = 0;
  plan.head.bytesSinceMetadata = 0;
  plan.lines.push(context.codec.encodeMetadata(plan.head));
  try {
    await writePlans([plan], turn, context);
  } catch (error) {
    if (givesKeyUp) moveLog({ path, head }, found.path, context);
    throw error;
  }
  return changed;
}

/** Removes the file. True where there was one, also one that cannot be read any more. */
export function deleteLog(id: ConversationId, turn: Turn, context: ConversationContext): boolean {
  const { folder, catalogue, logs } = context;
  const path = findForRemoval(id, context);
  if (path === undefined) return false;
  // First, so that no crash leaves a draft without a conversation.
  context.drafts.remove(id);
  const absolute = absolutePath(folder, path);
  logs.forget(path);
  rmSync(absolute, { force: true });
  rmSync(absolute + rewriteSuffix, { force: true });
  syncFolder(dirname(absolute));
  removeEmptyFolders(folder, path);
  catalogue.remove(turn.connection, path);
  return true;
}

function findForRemoval(id: ConversationId, { catalogue, finder, paths, folder }: ConversationContext): LogPath | undefined {
  try {
    return finder.findKnown(id)?.path;
  } catch (error) {
    if (!isContinuoError(error, 'store-damaged')) throw error;
    return [catalogue.findById(id)?.path, paths.forId(id)].find((path) => path && existsSync(absolutePath(folder, path)));
  }
}

/** The place is what holds a key, so this one step gives it up, also where nothing after it happens any more. */
function moveLog({ path, head }: FoundLog, to: LogPath, { folder, logs }: ConversationContext): FoundLog {
  const [source, target] = [absolutePath(folder, path), absolutePath(folder, to)];
  logs.forget(path);
  renameSync(source, target);
  syncFolder(dirname(target));
  syncFolder(dirname(source));
  if (!isKeyedPath(to)) removeEmptyFolders(folder, path);
  return { path: to, head: logs.head(to) ?? head };
}

/** The folders of a long name go with the last file in them. */
function removeEmptyFolders(folder: string, path: LogPath): void {
  for (const parent of parentsOf(path).reverse()) {
    if (parent === keyedFolder || !parent.startsWith(`${keyedFolder}/`)) return;
    try {
      rmdirSync(absolutePath(folder, parent));
    } catch {
      // Something else is in it.
      return;
    }
  }
}
