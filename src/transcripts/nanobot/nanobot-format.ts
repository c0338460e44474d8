// nanobot and minibot: `sessions/<key>.jsonl`, one file a chat. minibot wraps each line (`{"type": "message", "data": {…}}`), nanobot does not; both
// begin with a line about the session. nanobot keeps them in its workspace, before that in its own folder.
import { basename, join } from 'node:path';
import { isFields, objectIn, wordIn } from '../fields.ts';
import { fieldsAtBeginning } from '../json-beginning.ts';
import { looseMomentIn } from '../loose-moment.ts';
import { discoverDocuments } from '../session-documents.ts';
import { measureFiles } from '../session-folder.ts';
import type { Environment, TranscriptFormat, TranscriptSource } from '../transcript-format.ts';
import { metadataIn, readNanobotSession } from './read-nanobot-session.ts';

export const nanobotFormat: TranscriptFormat = {
  name: 'nanobot',
  label: 'nanobot / minibot',
  roots: (_env: Environment, homeFolder: string) => [
    join(homeFolder, '.nanobot', 'workspace', 'sessions'),
    join(homeFolder, '.nanobot', 'sessions'),
  ],
  layout: { place: /\/\.nanobot\/(?:workspace\/)?sessions\/[^/]+\.jsonl$/ },
  detect: ({ path, head }) => path.endsWith('.jsonl') && isSession(head),
  discover: (root, { signal, anywhere = false } = {}) =>
    discoverDocuments(root, { accepts: isSession, isName: (name) => name.endsWith('.jsonl'), createSource, signal, anywhere }),
  read: readNanobotSession,
};

/** The same key exists in every installation; when the session began tells them apart. */
async function createSource(path: string, head: Buffer): Promise<TranscriptSource> {
  const first = fieldsAtBeginning(head)?.fields ?? {};
  const metadata = metadataIn(first) ?? {};
  const key = wordIn(metadata, 'key') ?? decodeName(basename(path, '.jsonl'));
  const createdAt = looseMomentIn(metadata, 'created_at');
  const id = createdAt === undefined ? key : `${key}@${new Date(createdAt).toISOString()}`;
  return { type: 'source', id, path, ...(await measureFiles([path])) };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function isSession(head: Buffer): boolean {
  const document = fieldsAtBeginning(head);
  if (!document || document.isList) return false;
  const { fields } = document;
  if (fields._type === 'metadata') return true;
  const data = objectIn(fields, 'data');
  if (fields.type === 'metadata') return isFields(fields.data) && 'created_at' in data;
  return fields.type === 'message' && typeof data.role === 'string' && 'content' in data;
}
