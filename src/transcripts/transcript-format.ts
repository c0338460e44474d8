// The port every foreign format implements: where an agent keeps its sessions, how one is read and, where the agent can go on with it,
// how one is written. A format only translates; what is new, what was there before and where it goes is decided by the importer.
import type { JsonObject } from '../base/json.ts';
import type { NewEntry } from '../model/entry.ts';

/** The environment and nothing else of the process: formats read no `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface TranscriptFormat {
  /** In keys and on the command line: `claude-code`. */
  readonly name: string;
  /** For people: `Claude Code`. */
  readonly label: string;
  /** Where this agent keeps its sessions, its own relocation variable honoured. The folders need not exist. */
  roots(env: Environment, homeFolder: string): string[];
  /** How this agent names its sessions' files: speaks for one in which nothing can be recognised. */
  readonly layout?: SessionLayout;
  /** Whether a file is a session of this format, from its path and its first bytes (up to {@link headBytes}). */
  detect(file: { path: string; head: Buffer }): boolean;
  /**
   * Every session below a folder, or the one in a file. Looks at names and the beginnings of files only. Follows no symbolic link;
   * what is left out is told as a {@link SkippedNote}. A root that is not there is empty.
   */
  discover(root: string, options?: DiscoverOptions): AsyncIterable<TranscriptSource | SkippedNote>;
  /**
   * One session as a stream in bounded memory: a header first, then entries in the order they were said, checkpoints now and then and
   * at the end, notes about what is left out. Only complete lines count; what is still being written is left for the next time. A
   * broken part is a note, and the rest is read; throws only where the file cannot be read at all, or not to its end: what came
   * before is as good as ever.
   */
  read(source: TranscriptSource, options?: ReadTranscriptOptions): AsyncIterable<TranscriptItem>;
  /** Writes a session this agent can resume. Absent where it can resume none. Never replaces a file: `file-exists`. */
  write?(session: OutgoingSession, target: WriteTarget): Promise<WrittenTranscript>;
  /** The command that goes on with a session in its own agent. */
  resumeCommand?(session: { id: string; cwd?: string | undefined; path?: string | undefined }): ResumeCommand;
}

/** Each of them is enough: the place alone, or the name beside a session that can be read or beside the file the agent keeps there. */
export interface SessionLayout {
  /** A path with forward slashes. */
  place?: RegExp;
  name?: RegExp;
  beside?: string;
}

export interface DiscoverOptions {
  signal?: AbortSignal | undefined;
  /** The folder is none of {@link TranscriptFormat.roots}: sessions may lie anywhere below it, and other files among them. */
  anywhere?: boolean | undefined;
}

export const headBytes = 64 * 1024;

/** One session: what becomes one conversation. */
export interface TranscriptSource {
  type: 'source';
  /** The agent's own id of the session, unique within the format; a sub-agent's is `<session>/<agent>`. */
  id: string;
  path: string;
  /** Which part of the file, in the format's own terms, where one file holds several sessions. */
  part?: string;
  /** Together they tell whether anything changed since: of all files that belong to the session. Whole milliseconds. */
  size: number;
  modifiedAt: number;
  /** A title that stands elsewhere than in the session, in an index of the agent; takes effect without a reading. */
  title?: string;
}

export interface ReadTranscriptOptions {
  /** Where the last reading of this source ended. A source that was rewritten since is read from its beginning. */
  from?: JsonObject | undefined;
  signal?: AbortSignal | undefined;
  /** Lines above it are left out with a note and never held in memory. Default 32 MiB. */
  mostLineBytes?: number | undefined;
}

export type TranscriptItem = HeaderItem | EntryItem | CheckpointItem | SkippedNote;

/** The first item. May come again with what is known only later (a title, another folder): given fields replace earlier ones. */
export interface HeaderItem {
  type: 'header';
  header: TranscriptHeader;
  /** False where reading began at the beginning although a checkpoint was given: everything may have been seen before. */
  resumed?: boolean;
}

export interface TranscriptHeader {
  /** One somebody or the agent gave it; not the beginning of the first prompt. */
  title?: string;
  /** The working directory as recorded, not as guessed from a folder's name. The first one: where it is resumed. */
  cwd?: string;
  branch?: string;
  model?: string;
  createdAt?: number;
  agentVersion?: string;
  parent?: { kind: 'sub-agent' | 'fork'; id: string; callId?: string };
}

export interface EntryItem {
  type: 'entry';
  /** Unique within the session and the same at every reading: what was stored is recognised by it. */
  id: string;
  entry: TranscriptEntry;
}

/**
 * A new entry. `at` is the original moment; where a record has none the importer takes that of the entry before. A summary stands for
 * everything before it, so it names no positions.
 */
export type TranscriptEntry = Exclude<NewEntry, { kind: 'summary' }> | Omit<Extract<NewEntry, { kind: 'summary' }>, 'covers'>;

/** Everything before this item is dealt with; handed back as `from` next time. Opaque to everybody but the format. */
export interface CheckpointItem {
  type: 'checkpoint';
  checkpoint: JsonObject;
}

/**
 * - `harness`: written by the agent for itself (context, telemetry, copies of requests)
 * - `repeat`: says again what another record says
 * - `empty`: nothing was said
 * - `unknown`: a record of a kind this reader does not know
 * - `broken`: not readable as what it should be
 * - `too-long`: a line above the limit
 * - `link`: a symbolic link, or something that is not a file
 * - `refused`: the store did not take it
 */
export type SkipReason = 'harness' | 'repeat' | 'empty' | 'unknown' | 'broken' | 'too-long' | 'link' | 'refused';

export interface SkippedNote {
  type: 'skipped';
  reason: SkipReason;
  /** The kind of record (`attachment/skill_listing`), or what is wrong. */
  what: string;
  path?: string;
  line?: number;
}

/** A conversation on its way into another agent. */
export interface OutgoingSession {
  title?: string | undefined;
  cwd: string;
  branch?: string | undefined;
  model?: string | undefined;
  createdAt: number;
  entries: AsyncIterable<OutgoingEntry> | Iterable<OutgoingEntry>;
}

export type OutgoingEntry = NewEntry & { at: number };

export interface WriteTarget {
  /** One of {@link TranscriptFormat.roots}. */
  root: string;
  /** The id the session gets; a new one where left out. */
  id?: string | undefined;
}

export interface WrittenTranscript {
  id: string;
  files: string[];
  entries: number;
  /** How many entries of each kind the format cannot carry. */
  lost: Readonly<Record<string, number>>;
}

export interface ResumeCommand {
  command: string;
  args: string[];
  /** Where it must be started. */
  cwd?: string;
}
