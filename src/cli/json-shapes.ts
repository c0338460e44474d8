// What --json prints, command by command, in TypeScript notation. docs/cli.md shows it; the tests hold the program to it. Fields may
// be added; none is renamed, removed or given another meaning.
import type { CommandName } from './command-table.ts';

export const sharedShapes = `/** Moments are milliseconds since 1970; lengths of time are milliseconds. */
interface Conversation {
  id: string;
  title?: string;
  key?: string;
  project?: string;
  team?: string;
  agent?: string;
  tags: string[];
  pinned: boolean;
  policy:
    | { kind: 'full' | 'headers-only' | 'none' }
    | { kind: 'ttl'; milliseconds: number; afterwards: 'headers-only' | 'delete' };
  meta: object;
  createdAt: number;
  activeAt: number;
  /** The position of the newest entry; 0 while there is none. */
  lastSeq: number;
  forkedFrom?: { id: string; seq: number };
  /** Present while it is in the trash: when it was put there, and when it may be removed for good. */
  trashedAt?: number;
  purgeAt?: number;
}

interface Entry {
  id: string;
  /** The conversation it was said in: for what a fork shares, the one it was forked from. */
  conversationId: string;
  seq: number;
  at: number;
  kind: 'message' | 'thinking' | 'tool-call' | 'tool-result' | 'summary' | 'label' | 'event';
  /** How many secrets were masked in it. */
  masked?: number;
  /** Present where the policy did not keep the text. */
  withheld?: { characters: number };
  turnId?: string;
  meta?: object;
  // message:     role: 'user' | 'assistant' | 'system'; text: string; author?: { id?: string; name: string };
  //              model?: string; usage?: { inputTokens?, outputTokens?, cachedTokens?: number }; interrupted?: boolean
  // thinking:    text: string; model?: string
  // tool-call:   callId: string; tool: string; input: any
  // tool-result: callId: string; tool?: string; text: string; output?: any; failed?: boolean
  // summary:     text: string; covers: { from: number; to: number }
  // label:       name: string; text: string
  // event:       name: string; code?: string; counts?: { [what: string]: number }; text: string
}

/** What was due and went along with the command. */
interface Swept {
  purged: string[];
  withheld: number;
  removed: number;
}`;

export const overviewShape = `{
  home: string;
  driver: 'sqlite' | 'jsonl' | null;
  conversations: number;
  trashed: number;
  pinned: number;
  entries: number;
  bytesOnDisk: number;
  newest: (Conversation & { preview?: string })[];
}`;

export const jsonShapes: Readonly<Record<CommandName, string>> = {
  chat: `{
  conversation: Conversation;
  created: boolean;
  turnId: string;
  traceId: string;
  outcome: 'done' | 'cancelled' | 'failed';
  /** The answer; what had come of it where the turn did not come to its end. */
  text: string;
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number };
  steps: number;
  toolCalls: { callId: string; tool: string; input: any; failed?: boolean; code?: string }[];
  milliseconds: number;
  model: string;
  /** Why the turn failed or was cancelled; then the exit code says it too. */
  error: { code: string; message: string; details: object; kind: string } | null;
  swept: Swept;
}
// With --stream-json: one Event a line while it happens; the last is of type turn-end.
interface Event {
  type: 'conversation-open' | 'turn-start' | 'step-start' | 'text-delta' | 'thinking-delta' | 'text-saved' | 'tool-call'
    | 'tool-approval-request' | 'tool-approval' | 'tool-output' | 'tool-result' | 'model-retry' | 'input-drain' | 'history-trim'
    | 'entry-append' | 'warning' | 'turn-end';
  at: number;
  sessionId: string;
  conversationId?: string;
  taskId?: string;
  traceId?: string;
  spanId?: string;
  // text-delta, thinking-delta: text: string
  // text-saved:  characters: number (so much of the answer survives kill -9 from here on)
  // tool-call:   callId: string; tool: string; input: any
  // tool-result: callId: string; tool: string; text: string; failed?: boolean; code?: string
  // warning:     code: string; message: string; details?: object
  // turn-end:    turnId, outcome, text, usage, steps, toolCalls (their number), milliseconds, error? as above
}`,
  list: `{
  /** preview: the first line the user said, where there is no title. */
  conversations: (Conversation & { preview?: string })[];
  nextCursor: string | null;
}`,
  show: `{
  conversation: Conversation;
  /** Give it to --before to read what came earlier; null where nothing did. */
  before: number | null;
  entries: Entry[];
  /** An answer that is being written, or was interrupted: present where there is one. An Entry without id, conversationId and seq. */
  draft?: object & { kind: string; at: number; /** lastSeq when it was written. */ after: number };
}
// With --follow: this object in one line, then one Entry a line.`,
  append: '{ conversation: Conversation; created: boolean; entries: Entry[]; masked: number; swept: Swept }',
  fork: '{ conversation: Conversation }',
  replay: `// One line an entry, in the pace that was asked for:
{ entry: Entry; /** Milliseconds since the first entry. */ offset: number }`,
  export: `// With -o FILE:
{ file: string; bytes: number; format: 'json' | 'jsonl' | 'md'; entries: number }
// Without: the export itself, which must be json.`,
  approvals: `// continuo approvals list
{ approvals: Approval[] }
// continuo approvals revoke
{ revoked: Approval[] }

interface Approval {
  id: string;
  /** Words from the general to the particular. */
  path: string[];
  /** For these words alone, not for what begins with them. */
  exact: boolean;
  scope: 'conversation' | 'session';
  /** The conversation that keeps it. */
  conversationId: string;
  title?: string;
  createdAt: number;
  expiresAt: number | null;
  expired: boolean;
}`,
  mcp: `{
  file: string;
  servers: {
    name: string;
    state: 'named' | 'ready' | 'failed' | 'disabled';
    reached: { type: 'stdio'; command: string; args: string[] } | { type: 'http'; url: string };
    /** Present after a test. */
    milliseconds?: number;
    tools?: { name: string; description: string }[];
    problems?: string[];
  }[];
}`,
  rename: '{ conversation: Conversation }',
  tag: '{ conversation: Conversation }',
  pin: '{ conversations: Conversation[] }',
  trash: '{ conversations: Conversation[]; swept: Swept }',
  restore: '{ conversations: Conversation[] }',
  purge: '{ purged: string[]; swept: Swept }',
  sweep: `{
  dryRun: boolean;
  /** What went, or with --dry-run would go. */
  purged: string[];
  /** Due, but kept because a fork shares the text. */
  keptForForks: string[];
  /** With --dry-run: entries whose text would go. */
  expiring: number;
  withheld: number;
  removed: number;
}`,
  stats: `{
  home: string;
  driver: 'sqlite' | 'jsonl' | null;
  encrypted: boolean;
  conversations: number;
  trashed: number;
  pinned: number;
  entries: number;
  bytesOnDisk: number;
  byAgent: { name: string; conversations: number }[];
  byProject: { name: string; conversations: number }[];
}`,
  doctor: `{
  home: string;
  problems: number;
  checks: {
    check: 'program' | 'home' | 'settings' | 'record' | 'permissions' | 'disk' | 'store' | 'writers' | 'due';
    status: 'ok' | 'note' | 'problem' | 'fixed';
    /** Present with a problem, and after a repair. */
    code?: string;
    message: string;
    next?: string;
  }[];
}`,
  backup: `{
  folder: string;
  driver: string;
  createdAt: number;
  files: number;
  bytes: number;
  /** With --verify: what was restored and found to be the same; digest is SHA-256 over every entry. */
  verified: { conversations: number; entries: number; digest: string } | null;
}`,
  'restore-backup': '{ home: string; folder: string; driver: string; createdAt: number; files: number; bytes: number }',
  compress: '{ before: number; entries: number; bytesBefore: number; bytesAfter: number }',
  encrypt: '{ home: string; encrypted: true; conversations: number; entries: number }',
  decrypt: '{ home: string; encrypted: false; conversations: number; entries: number }',
  config: `// continuo config
{ file: string; settings: Setting[] }
// continuo config get NAME
Setting
// continuo config set NAME VALUE
{ file: string; name: string; value: string | number | boolean | string[] }
// continuo config unset NAME
{ file: string; name: string; wasSet: boolean }
// continuo config path
{ file: string }

interface Setting {
  name: string;
  value: string | number | boolean | string[] | null;
  origin:
    | { from: 'default' }
    | { from: 'file'; path: string; line: number }
    | { from: 'environment'; variable: string }
    | { from: 'flag'; flag: string };
}`,
};

export const errorShape = '{ error: { code: string; message: string; details: object } }';
