// Ids of records that may be unique in their session only (`1`, `msg-2`): a short one is told apart by the session's, because two sessions
// that begin with the same ids are taken for one and its fork.

const shortestUnique = 16;

export function sessionWideId(id: string, session: string): string {
  return id.length >= shortestUnique ? id : `${session}:${id}`;
}
