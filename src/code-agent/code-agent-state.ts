// What a code agent saves: the document's ten fields, and beside them what makes going on exact. Everything else is rebuilt from it.
import { isAbsolute, normalize } from 'node:path';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { OpenAiMessage } from '../transcripts/openai/openai-messages.ts';
import type { DirtyPaths } from './git/dirty-paths.ts';
import { type ReviewVerdict, reviewOutcomes } from './review/review-verdict.ts';

export interface CodeAgentState {
  agent_type: typeof agentType;
  /** Absolute, links resolved. */
  root_dir: string;
  tool_group: string;
  model_group: string;
  /** `provider:model`. */
  model_name: string;
  disable_review: boolean;
  review_max_iterations: number;
  start_commit: string | null;
  messages: readonly OpenAiMessage[];
  non_interactive: boolean;
  /** The conversation in the store, and how much of it the messages hold: what was said after that is its tail. */
  conversation?: { id: string; seq: number };
  task?: string;
  branch?: string;
  work?: WorkState;
  /** Files that were changed before the agent began, with a mark of what they held: they are the person's. */
  dirty_at_start?: DirtyPaths;
}

/** What is chosen once and saved. */
export type CodeAgentSettings = Pick<
  CodeAgentState,
  'root_dir' | 'tool_group' | 'model_group' | 'disable_review' | 'review_max_iterations' | 'non_interactive'
>;

export interface WorkState {
  phase: WorkPhase;
  /** How often the model was told that the checks fail, and how many reviews were held. */
  checks: number;
  reviews: number;
  /** What the last review came to. */
  verdict?: ReviewVerdict['outcome'];
}

export const workPhases = ['idle', 'working', 'checking', 'reviewing', 'done'] as const;
export type WorkPhase = (typeof workPhases)[number];

export const agentType = 'code_agent';
export const defaultReviewIterations = 3;

/** What is wrong with it: the field and why. Undefined where all is as it should be. */
export function findStateFault(state: JsonObject): { field: string; reason: string } | undefined {
  for (const [field, check] of Object.entries(fields)) {
    if (!Object.hasOwn(state, field)) return { field, reason: 'it is missing' };
    const reason = check(state[field] as JsonValue);
    if (reason !== undefined) return { field, reason };
  }
  for (const [field, check] of Object.entries(optionalFields)) {
    const reason = Object.hasOwn(state, field) ? check(state[field] as JsonValue) : undefined;
    if (reason !== undefined) return { field, reason };
  }
  return undefined;
}

type Check = (value: JsonValue) => string | undefined;

const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'it must be text');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'it must be true or false');
const count: Check = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'it must be a whole number');

const fields: Readonly<Record<string, Check>> = {
  agent_type: (value) => (value === agentType ? undefined : `it must be "${agentType}"`),
  root_dir: checkRoot,
  tool_group: text,
  model_group: text,
  model_name: text,
  disable_review: flag,
  review_max_iterations: count,
  start_commit: (value) =>
    value === null || (typeof value === 'string' && /^[0-9a-f]{4,64}$/i.test(value)) ? undefined : 'it must be a commit or null',
  messages: checkMessages,
  non_interactive: flag,
};

const optionalFields: Readonly<Record<string, Check>> = {
  conversation: (value) =>
    isObject(value) && text(value.id ?? null) === undefined && count(value.seq ?? null) === undefined
      ? undefined
      : 'it must name a conversation',
  task: (value) => (typeof value === 'string' ? undefined : 'it must be text'),
  branch: (value) => (typeof value === 'string' ? undefined : 'it must be text'),
  work: (value) =>
    isObject(value) &&
    workPhases.includes(value.phase as WorkPhase) &&
    count(value.checks ?? null) === undefined &&
    count(value.reviews ?? null) === undefined &&
    (value.verdict === undefined || reviewOutcomes.includes(value.verdict as ReviewVerdict['outcome']))
      ? undefined
      : 'it must tell how far the work is',
  dirty_at_start: (value) =>
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'))
      ? undefined
      : 'it must be a list of paths with marks',
};

/** A file may come from anywhere: a path that leads elsewhere than it reads is refused before anything is looked at. */
function checkRoot(value: JsonValue): string | undefined {
  if (typeof value !== 'string' || value === '') return 'it must be text';
  if (value.includes('\0')) return 'it holds a NUL character';
  // A file of another system is understood where it is moved along with its project.
  const isForeign = /^(?:[a-zA-Z]:[\\/]|\\\\)/.test(value) || value.startsWith('/');
  if (!isAbsolute(value) && !isForeign) return 'it must be an absolute path';
  if (value.split(/[\\/]/).some((part) => part === '..' || part === '.')) return 'it must not contain "." or ".."';
  if (isAbsolute(value) && normalize(value) !== value && normalize(value) !== `${value}/`) return 'it is not a plain path';
  return undefined;
}

function checkMessages(value: JsonValue): string | undefined {
  if (!Array.isArray(value)) return 'it must be a list';
  const at = value.findIndex((message) => !isObject(message) || typeof message.role !== 'string');
  return at === -1 ? undefined : `number ${at + 1} is not a message`;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
