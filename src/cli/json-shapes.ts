// What --json prints, command by command, in TypeScript notation. docs/cli.md shows it; the tests hold the program to it. Fields may
// be added; none is renamed, removed or given another meaning.
import type { CommandName } from './command-table.ts';
import { mcpShapes } from './mcp/mcp-shapes.ts';
import { transcriptShapes } from './transcripts/transcript-shapes.ts';

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
  ...transcriptShapes,
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
  /** The earlier conversations that were quoted to the model. */
  recalled: { conversationId: string; title?: string; project?: string; projectName?: string; at: number; why: string[] }[];
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
  search: `{
  query: string;
  /** How many passages there are in all groups. */
  hits: number;
  /** Best conversation first, in each the best passage first. */
  groups: {
    conversationId: string;
    title?: string;
    project?: string;
    agent?: string;
    at: number;
    score: number;
    hits: Hit[];
  }[];
  searched: {
    conversations: number;
    entries: number;
    complete: boolean;
    /** Why it is not: to be indexed still; more than the newest were not compared; the log was gone through in place of the index. */
    incompleteBecause?: 'index-behind' | 'newest-only' | 'index-newer' | 'index-unavailable';
  };
  /** Why there is nothing. */
  emptyBecause: 'nothing-stored' | 'below-threshold' | 'filtered' | 'index-behind' | 'nothing-asked' | null;
}

interface Hit {
  conversationId: string;
  entryId: string;
  at: number;
  kind: string;
  role?: 'user' | 'assistant' | 'system';
  title?: string;
  project?: string;
  agent?: string;
  /** The passage, and where it holds what was asked for. */
  text: string;
  highlights?: { start: number; end: number }[];
  score: number;
  /** With --explain: the parts add up to the total. */
  why?: { lexical?: number; semantic?: number; recency: number; project: number; role: number; total: number; terms: string[]; answers?: string };
}`,
  recall: `{
  asked: string;
  project: { key: string; path: string };
  why: 'continues' | 'two-candidates' | 'found' | 'nothing-said' | 'nothing-then' | 'nothing-about-it' | 'nothing-asked'
    | 'already-present' | 'does-not-fit';
  intent: { kind: 'continue' | 'search' | 'mixed'; content: string; when: { from: number; to: number } | null };
  sources: {
    conversationId: string;
    title?: string;
    project?: string;
    projectName?: string;
    at: number;
    why: ('content' | 'newest' | 'newest-here' | 'open-work' | 'time')[];
    open: { kind: string; text: string; at: number }[];
  }[];
  passages: number;
  tokens: number;
  budget: number;
  /** What would be put before the request; empty where that is nothing. */
  section: string;
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
{
  file: string;
  bytes: number;
  format: string;
  entries: number;
  /** As the session of an agent, or as OpenAI messages: how many of each kind could not be carried over. */
  lost?: { [kind: string]: number };
}
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
  code: `// continuo code
{
  task: string | null;
  root: string;
  model: string;
  resumed: boolean;
  /** Null where it was stopped or failed; then error says why. */
  outcome: 'done' | 'unchanged' | 'checks-failed' | 'review-open' | 'review-failed' | null;
  /** The last answer. */
  text: string;
  changes: { available: boolean; reason?: string; base: string | null; omitted: number; warnings: string[];
    files: { path: string; from?: string; status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
      additions: number; deletions: number; binary: boolean }[] } | null;
  checks: { outcome: 'passed' | 'failed' | 'unproven'; text: string; formatted: string[] } | null;
  reviews: { outcome: 'accepted' | 'changes' | 'unclear' | 'failed'; text: string }[];
  commit: { commit: string; branch: string | null; paths: string[]; leftOut: { path: string; reason: string }[];
    hooksNotRun: string[]; unsigned: boolean } | null;
  session: { id: string; path: string; messages: number; saved: boolean } | null;
  /** The command that goes on. */
  resume: string | null;
  conversationId: string | null;
  /** What was told about saving and restoring. */
  notices: { level: 'info' | 'warning' | 'error'; code: string; message: string; details: object }[];
  error: { code: string; message: string; details: object } | null;
}
// continuo code sessions
{
  root: string;
  /** Newest first. legacy: left by an older program. */
  sessions: { id: string; path: string; savedAt: string; bytes: number; messages: number | null; task: string | null;
    branch: string | null; version: string | null; legacy: boolean; problem: { code: string; message: string } | null }[];
}`,
  team: `// continuo team list
{
  teams: { id: string; name: string | null; file: string | null; members: number | null; sessions: number; activeAt: number | null }[];
  /** Team files that hold a mistake. */
  broken: { file: string; message: string }[];
}
// continuo team init
{ file: string; team: { id: string; name: string } }
// continuo team check
{
  file: string;
  team: { id: string; name: string; order: string[]; limits: object };
  members: { id: string; name: string; kind: 'human' | 'model' | 'program'; speaks: string; role?: string;
    /** Why it could not speak here. */
    problem?: { code: string; message: string } }[];
}
// continuo team history
{
  team: string;
  /** Newest first. saved: a snapshot holds all of it; the log does in any case. */
  sessions: { sessionId: string; conversationId: string | null; createdAt: number; updatedAt: number; messages: number;
    summary: string | null; saved: boolean }[];
}
// continuo team deploy
{
  team: { id: string; name: string };
  sessionId: string;
  conversationId: string | null;
  resumed: boolean;
  /** Why a human is waited for. */
  reason: 'turn-completed' | 'addressed' | 'round-limit' | 'cancelled' | 'timeout' | 'failed';
  waitingFor: string | null;
  /** What was said in this turn, yours first. */
  messages: TeamMessage[];
  failed: { member: string; error: { code: string; message: string; details: object } }[];
  /** Who spoke in the history and is not in the team any more. */
  left: { id: string; name: string; messages: number }[];
  /** The file of the snapshot. */
  snapshot: string | null;
  /** How many sessions the team had before this turn. */
  sessions: number;
}
// With --stream-json: one event a line while it happens; docs/team.md lists them.

interface TeamMessage {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  speaker: { id: string; name: string; displayName?: string; type?: 'human' | 'ai' | 'system' };
  content: string;
  /** Who was addressed. */
  routing?: { next?: string[]; unknown?: string[] };
  seq?: number;
  interrupted?: boolean;
}`,
  ...mcpShapes,
  rename: '{ conversation: Conversation }',
  tag: '{ conversation: Conversation }',
  pin: '{ conversations: Conversation[] }',
  exclude: '{ conversations: Conversation[] }',
  projects: `// continuo projects
{
  projects: {
    /** git:…, marker:…, path:…, or a name somebody chose. */
    key: string;
    name: string;
    kind: 'git' | 'marker' | 'path' | 'name';
    /** Where it was seen last, and before. */
    path?: string;
    otherPaths: string[];
    remote?: string;
    conversations: number;
    lastSeen: number;
    private: boolean;
    /** Whether the working folder belongs to it. */
    here: boolean;
  }[];
}
// continuo projects private PROJECT
{ key: string; name: string; private: boolean; changed: boolean }`,
  relink: `// continuo relink
{
  folder: string;
  key: string;
  name: string;
  how: 'root-commit' | 'marker' | 'remote' | 'path' | 'new';
  confidence: 'high' | 'medium' | 'low';
  conversations: number;
  alsoFits: { key: string; name: string; path?: string; conversations: number }[];
  /** A private project the folder looks like, which nobody confirmed. */
  unconfirmed: string | null;
}
// continuo relink --to PROJECT; without --yes nothing is done, and moved says what would be.
{ folder: string; to: string; done: boolean; moved: string[] }`,
  trash: '{ conversations: Conversation[]; swept: Swept }',
  restore: '{ conversations: Conversation[] }',
  purge: `{
  purged: string[];
  /** The session files of teams that went along, as paths. */
  sessionFiles: string[];
  /** Conversations of their sub-agents, which stay. */
  subAgents: string[];
  swept: Swept;
}`,
  cleanup: `{
  /** Whether it was done; without --yes it is only shown. */
  done: boolean;
  conversations: number;
  /** What goes, or would go. */
  trash: { id: string; title?: string; preview?: string; project?: string; agent?: string; reason: 'old' | 'contained' | 'unrelated' | 'over-limit'; usedAt: number }[];
  /** What would go too, by what keeps it. */
  kept: { [reason: string]: number };
  /** Left alone because something changed meanwhile. */
  left: { id: string; reason: string }[];
  complete: boolean;
}`,
  sweep: `{
  dryRun: boolean;
  /** What went, or with --dry-run would go. */
  purged: string[];
  /** The session files of teams that went along, or would. */
  sessionFiles: string[];
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
  /** The session files of teams. */
  sessions: { sessions: number; teams: number; bytes: number; unreadable: number; setAside: number };
  /** The search index. Broken or of an older version, it is made anew by the next search; one of a newer version is left alone. */
  index:
    | { state: 'absent' }
    | { state: 'damaged' | 'other-version'; bytes: number }
    | { state: 'newer-version'; bytes: number; found: number; known: number }
    | {
        state: 'ok';
        bytes: number;
        documents: number;
        conversations: number;
        behind: { entries: number; conversations: number };
        reconciledAt: number;
        models: { id: string; dimension: number; isBuilding: boolean; behind: number }[];
      };
}`,
  doctor: `{
  home: string;
  problems: number;
  checks: {
    check: 'program' | 'home' | 'settings' | 'record' | 'permissions' | 'disk' | 'store' | 'writers' | 'due' | 'index' | 'sessions' | 'purges';
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
  verified: { conversations: number; entries: number; digest: string; /** Session files of teams. */ sessions: number } | null;
}`,
  'restore-backup': '{ home: string; folder: string; driver: string; createdAt: number; files: number; bytes: number }',
  embedder: `// continuo embedder list
{
  inUse: { kind: 'static' | 'openai-compatible' | 'onnx' | 'none'; id: string | null; dimension: number | null; settings: object };
  /** Of the embedder in use: documents with a vector, and how many were not looked at yet. */
  vectors: { model: string; documents: number; behind: number } | null;
  /** Why it cannot be used at this moment. */
  problem: { code: string; message: string } | null;
  embedders: { kind: string; inUse: boolean; available: boolean; /** What makes it available. */ install?: string }[];
}
// continuo embedder test
{
  embedder: string;
  dimension: number;
  openMilliseconds: number;
  millisecondsPerText: number;
  texts: string[];
  /** The cosine of each text with each. */
  similarities: number[][];
}
// continuo embedder use KIND
{ file: string; kind: string; id: string | null; dimension: number | null; /** How many got a vector. */ embedded: number | null }`,
  reindex: `{
  home: string;
  entries: number;
  documents: number;
  complete: boolean;
  /** How many got a vector; null where there is no embedder. */
  embedded: number | null;
}`,
  compress: '{ before: number; entries: number; bytesBefore: number; bytesAfter: number }',
  encrypt:
    '{ home: string; encrypted: true; conversations: number; entries: number; sessions: number; damagedSessions: string[] }',
  decrypt:
    '{ home: string; encrypted: false; conversations: number; entries: number; sessions: number; damagedSessions: string[] }',
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
