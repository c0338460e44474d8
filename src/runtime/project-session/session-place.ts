// Where a session is held, for a folder without git that nobody described: it gets its marker, and by that it is found again wherever
// it was moved to. What only looks like a private project is one of its own.
import type { JsonObject } from '../../base/json.ts';
import { ContinuoError } from '../../model/error.ts';
import { gatherEvidence, type ProjectEvidence } from '../../project/gather-evidence.ts';
import { collectKnownProjects } from '../../project/known-project.ts';
import { markFolder } from '../../project/mark-folder.ts';
import { matchProject } from '../../project/match-project.ts';
import { listWithPrivate } from '../../project/newest-conversations.ts';
import { formatPathKey, isAbsolutePath } from '../../project/project-key.ts';
import { createPlace, formatPlace } from '../../project/project-place.ts';
import { findRepositoryRoot } from '../../project/repository-root.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';

export interface SessionPlace {
  key: string;
  place: JsonObject;
  /** The private project the folder looks like. What is said in the session is left out of recall until somebody says otherwise. */
  resembles?: string;
}

/** Undefined where the folder is none, or has git: then what the caller said is all there is. */
export async function placeSession(
  store: ConversationStore,
  folder: string,
  privateProjects: Iterable<string>,
): Promise<SessionPlace | undefined> {
  const evidence = isAbsolutePath(folder) ? await describeFolder(folder) : undefined;
  if (!evidence) return undefined;
  const closed = new Set(privateProjects);
  const known = collectKnownProjects(await listWithPrivate(store, closed));
  const match = matchProject(evidence, known);
  const like = [...(match.how === 'new' || match.seenHere ? [] : [match.key]), ...(match.how === 'new' ? match.alsoFits : [])];
  const resembles = like.find((key) => closed.has(key));
  const key = resembles === match.key ? formatPathKey(evidence.path) : match.key;
  const mark = await markFolder(evidence, { known: async () => known });
  const place = formatPlace(createPlace({ ...evidence, ...(mark && { marker: mark.id }) }));
  return { key, place, ...(resembles !== undefined && { resembles }) };
}

async function describeFolder(folder: string): Promise<ProjectEvidence | undefined> {
  if ((await findRepositoryRoot(folder, undefined)) !== undefined) return undefined;
  try {
    return await gatherEvidence(folder);
  } catch (error) {
    if (error instanceof ContinuoError) return undefined;
    throw error;
  }
}
