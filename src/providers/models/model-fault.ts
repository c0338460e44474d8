// Gives everything that can go wrong with a request its code, and says whether asking again may help. Nothing that leaves here
// holds a key: the packages' own errors carry the whole request, so that they are described anew instead of being passed on.
import { ContinuoError } from '../../model/error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import type { Phase } from './answer-watch.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { type Complaint, readComplaint } from './complaint.ts';

export interface FaultContext {
  /** The provider, for messages. */
  title: string;
  /** `provider:model`. */
  id: string;
  url: string;
  keyVariable: string;
  /** What may not appear in any text. */
  secrets: readonly string[];
}

export interface ModelFault {
  error: ContinuoError;
  retryable: boolean;
  /** Headers of the server's refusal, for the time to wait. */
  headers: Readonly<Record<string, string>>;
}

export interface FaultMoment {
  /** How far the request had come. */
  phase: Phase;
  /** A part of the answer had been said already. */
  spoke: boolean;
}

export function toModelFault(thrown: unknown, context: FaultContext, { phase, spoke }: FaultMoment): ModelFault {
  const complaint = readComplaint(thrown);
  const { code, retryable } = classify(thrown, complaint, phase);
  const reason = cutToLine(maskSecrets(reasonOf(thrown, complaint, phase), context.secrets)) || 'no reason was given';
  const cause = new Error(reason);
  cause.name = thrown instanceof Error ? thrown.name : 'ServerError';
  const { title: provider, id: model, url, keyVariable: variable } = context;
  const final = spoke && code !== 'context-overflow' ? 'model-answer-broken' : code;
  const details = {
    provider,
    model,
    reason,
    ...(final === 'model-unreachable' && { url }),
    ...(final === 'model-key-refused' && { variable }),
    ...(complaint.status !== undefined && { status: complaint.status }),
  };
  return { error: new ContinuoError(final, details, { cause }), retryable, headers: complaint.headers };
}

/** Takes every secret out of the text. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    masked = masked.replaceAll(secret, '…').replaceAll(encodeURIComponent(secret), '…');
  }
  return masked;
}

const retryableStatus = new Set([408, 500, 502, 503, 504, 529]);
const retryableNetwork = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

function classify(thrown: unknown, complaint: Complaint, phase: Phase): { code: ErrorCode; retryable: boolean } {
  if (thrown instanceof BrokenAnswer) return { code: 'model-answer-broken', retryable: thrown.retryable };
  if (complaint.unreadable) return { code: 'model-answer-broken', retryable: true };
  const { status = phase === 'reading' ? 200 : undefined } = complaint;
  if (status === undefined) {
    if (phase === 'building') return { code: 'internal', retryable: false };
    return { code: 'model-unreachable', retryable: retryableNetwork.has(complaint.network ?? '') };
  }
  if (status < 300) return { code: 'model-answer-broken', retryable: true };
  if (status === 429) return { code: 'model-rate-limited', retryable: !isOutOfCredit(complaint) };
  if (status === 401 || status === 403 || (status === 400 && isBadKey(complaint))) {
    return { code: 'model-key-refused', retryable: false };
  }
  if (status === 413 || isOverflow(complaint)) return { code: 'context-overflow', retryable: false };
  if (status === 408 || status >= 500) return { code: 'model-failed', retryable: retryableStatus.has(status) };
  return { code: 'model-refused', retryable: false };
}

/** A limit that waiting does not lift. */
function isOutOfCredit({ type, code }: Complaint): boolean {
  return type === 'insufficient_quota' || code === 'insufficient_quota';
}

/** Google answers a wrong key with 400. */
function isBadKey({ message }: Complaint): boolean {
  return /api key not valid|api_key_invalid|(?:invalid|incorrect) api key/i.test(message);
}

/** The words in which servers say that a prompt is too long. */
const overflowWords = [
  /prompt is too long/i, // Anthropic
  /exceed context limit/i, // Anthropic, prompt and answer together
  /exceeds the maximum number of tokens/i, // Google
  /maximum context length/i, // OpenAI, DeepSeek, OpenRouter, vLLM
  /context length is only/i, // vLLM
  /context length of only/i, // LM Studio
  /exceeded model token limit/i, // Moonshot
  /exceeds?\b.{0,40}\bcontext (?:size|window|length)/i, // llama.cpp, Ollama and others
  /context[ _](?:length|window|size)[ _](?:is )?exceeded/i,
];

function isOverflow({ type, code, message }: Complaint): boolean {
  if (code === 'context_length_exceeded' || type === 'context_length_exceeded' || type === 'exceed_context_size_error')
    return true;
  return overflowWords.some((words) => words.test(message));
}

function reasonOf(thrown: unknown, complaint: Complaint, phase: Phase): string {
  if (thrown instanceof BrokenAnswer) return thrown.message;
  if (complaint.unreadable) {
    return /without a finish reason/.test(complaint.message) ? 'it ended too early' : 'a piece of it cannot be read';
  }
  const { status = 0 } = complaint;
  if (status >= 200 && status < 300) return 'the connection was cut';
  if (status === 0 && phase === 'reading') return complaint.network ? 'the connection was cut' : 'a piece of it cannot be read';
  if (status >= 300 && status < 400) return 'it redirects to another address';
  if (complaint.network === 'ECONNREFUSED') return 'nobody answers there';
  if (complaint.network === 'ENOTFOUND') return 'there is no such host';
  if (complaint.network === 'ECONNRESET' || complaint.network === 'UND_ERR_SOCKET') return 'the connection was cut';
  return complaint.message;
}

function cutToLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const cut = line.length > 300 ? `${line.slice(0, 299).toWellFormed()}…` : line;
  // The sentences it is put into end themselves.
  return cut.replace(/\.$/, '');
}
