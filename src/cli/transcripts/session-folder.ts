// The folder a conversation goes on in: where it was held, or where its project is now, recognised by what it is and not by its path.
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Conversation } from '../../model/conversation.ts';
import { collectKnownProjects } from '../../project/known-project.ts';
import { matchProject } from '../../project/match-project.ts';
import { parsePlace } from '../../project/project-place.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { readImportState } from '../../transcripts/transcripts.ts';
import type { Context } from '../context.ts';
import { gatherHere, workingFolder } from '../recall/here.ts';

export interface SessionFolder {
  folder: string;
  /** Where it was held, where that is not there any more. */
  movedFrom?: string;
}

const mostLookedAt = 500;

export function recordedFolder(conversation: Conversation): string | undefined {
  return readImportState(conversation)?.cwd ?? parsePlace(conversation.meta.place)?.path;
}

/** Undefined where the folder is gone and its project was seen nowhere else. */
export async function findFolder(
  context: Context,
  store: ConversationStore,
  conversation: Conversation,
): Promise<SessionFolder | undefined> {
  const recorded = recordedFolder(conversation);
  if (recorded === undefined) return undefined;
  if (await isFolder(recorded)) return { folder: recorded };
  const { project } = conversation;
  if (project === undefined) return undefined;
  const { items } = await store.list({ project, limit: mostLookedAt, trash: 'include' });
  const known = collectKnownProjects(items);
  // Nobody may have said anything yet where it is now: the folder one is in is asked, too.
  const candidates = [...new Set([...known.flatMap(({ paths }) => paths), workingFolder()])];
  const inside = relative(parsePlace(conversation.meta.place)?.path ?? recorded, recorded);
  for (const path of candidates) {
    if (!(await isFolder(path))) continue;
    const evidence = await gatherHere(context, path);
    const { how, key } = matchProject(evidence, known);
    if (how === 'new' || !known.some((each) => each.key === key)) continue;
    const below = inside.startsWith('..') ? evidence.path : join(evidence.path, inside);
    return { folder: (await isFolder(below)) ? below : evidence.path, movedFrom: recorded };
  }
  return undefined;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
