// What the importer remembers of a session, in `conversation.meta.import`: how far its source was read, and which entries that means.
// Invariant: everything up to `seq` is what the checkpoint stands for, so that only entries after it can be met again. What is stored and
// lies behind the checkpoint (a source that is cut now, and whole again later) is after `seq`, although more may be.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../base/json.ts';
import type { Conversation } from '../model/conversation.ts';
import { countIn, defined, isFields, textIn } from './fields.ts';
import type { TranscriptFormat, TranscriptHeader, TranscriptSource } from './transcript-format.ts';

export interface ImportState {
  agent: string;
  /** The agent's own id of the session. */
  id: string;
  path: string;
  /** Absent until the source was read to its end once; equal to the source's while nothing changed. */
  size?: number;
  modifiedAt?: number;
  seq: number;
  checkpoint?: JsonObject;
  /** The id of the session's first entry: a session that begins with the same one shares its beginning. */
  first?: string;
  title?: string;
  cwd?: string;
  branch?: string;
  model?: string;
  agentVersion?: string;
}

const longestId = 900;

/** The key of the conversation a session becomes. */
export function formatImportKey(agent: string, id: string): string {
  return `import:${agent}:${id.length <= longestId ? id : createHash('sha256').update(id).digest('hex')}`;
}

export function readImportState({ meta }: Pick<Conversation, 'meta'>): ImportState | undefined {
  const state = meta.import;
  if (!isFields(state)) return undefined;
  const agent = textIn(state, 'agent');
  const id = textIn(state, 'id');
  if (agent === undefined || id === undefined) return undefined;
  const checkpoint = state.checkpoint;
  return defined({
    agent,
    id,
    path: textIn(state, 'path') ?? '',
    size: countIn(state, 'size'),
    modifiedAt: countIn(state, 'modifiedAt'),
    seq: countIn(state, 'seq') ?? 0,
    checkpoint: isFields(checkpoint) ? (checkpoint as JsonObject) : undefined,
    first: textIn(state, 'first'),
    title: textIn(state, 'title'),
    cwd: textIn(state, 'cwd'),
    branch: textIn(state, 'branch'),
    model: textIn(state, 'model'),
    agentVersion: textIn(state, 'agentVersion'),
  }) as ImportState;
}

export function createImportState(
  format: Pick<TranscriptFormat, 'name'>,
  { id, path }: TranscriptSource,
  seq: number,
): ImportState {
  return { agent: format.name, id, path, seq };
}

/** What the header says, over what was known. The folder and the moment of the beginning stay: later ones are on the entries. */
export function withHeader(state: ImportState, header: TranscriptHeader): ImportState {
  const { title, cwd, branch, model, agentVersion } = header;
  return defined({
    ...state,
    title: title ?? state.title,
    cwd: state.cwd ?? cwd,
    branch: state.branch ?? branch,
    model: model ?? state.model,
    agentVersion: agentVersion ?? state.agentVersion,
  }) as ImportState;
}

export function formatImportState(state: ImportState): JsonObject {
  return { import: { ...state } as JsonObject };
}

/** Whether the source is as it was when it was last read to its end. */
export function isUnchanged(state: ImportState | undefined, { size, modifiedAt }: TranscriptSource): boolean {
  return state?.size === size && state.modifiedAt === modifiedAt;
}
