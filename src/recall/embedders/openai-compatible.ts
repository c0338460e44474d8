// Vectors from a server that speaks OpenAI's protocol (POST {base}/embeddings): OpenAI, Ollama, vLLM and others. Texts go in batches;
// what may pass is tried again. The key is sent to the server and nowhere else: no error holds it.

import { setTimeout as wait } from 'node:timers/promises';
import { createRetryPlan, type RetryOptions, type RetryPlan, retryDelay } from '../../base/retry-delay.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { Embedder, EmbedOptions } from '../../model/ports/embedder.ts';
import { readVectors } from './embeddings-answer.ts';

export interface OpenAiCompatibleOptions {
  /** With the version: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  model: string;
  /** Of the model's vectors. An answer with another number is refused. */
  dimension: number;
  key?: string;
  /** Asks the server to shorten its vectors to `dimension`, which some models can. */
  shorten?: boolean;
  /** Put before each text, where the model was trained so: `query: `, `passage: `. */
  prefixes?: { query?: string; passage?: string };
  /** Texts a request; 64 unless given. */
  batchSize?: number;
  /** Characters a request; 100,000 unless given. */
  batchCharacters?: number;
  /** Longer texts are cut: models read only so much. 6000 unless given. */
  maxCharacters?: number;
  /** Milliseconds a request may take; 60,000 unless given. */
  timeout?: number;
  retry?: RetryOptions;
  /** False where somebody waits: the limit is then one for all attempts. */
  retriesTimeouts?: boolean;
}

export function createOpenAiCompatibleEmbedder(options: OpenAiCompatibleOptions): Embedder {
  return new OpenAiCompatibleEmbedder(options);
}

/** Asks for one vector and counts. */
export async function findDimension(options: Omit<OpenAiCompatibleOptions, 'dimension'>): Promise<number> {
  try {
    const [vector] = await new OpenAiCompatibleEmbedder({ ...options, dimension: 1 }).embed(['text']);
    return (vector as Float32Array).length;
  } catch (error) {
    if (isContinuoError(error, 'dimension-mismatch') && typeof error.details.found === 'number' && error.details.found > 0) {
      return error.details.found;
    }
    throw error;
  }
}

class OpenAiCompatibleEmbedder implements Embedder {
  readonly id: string;
  readonly dimension: number;
  readonly #options: OpenAiCompatibleOptions;
  readonly #url: string;
  readonly #retry: RetryPlan;
  readonly #timeout: number;

  constructor(options: OpenAiCompatibleOptions) {
    const { model, dimension, prefixes, key } = options;
    this.id = `openai-compatible/${model}/${dimension}${prefixes?.passage ? `/${prefixes.passage}` : ''}`;
    this.dimension = dimension;
    this.#options = options;
    this.#url = buildUrl(options.baseUrl);
    this.#retry = createRetryPlan(options.retry);
    this.#timeout = options.timeout ?? 60_000;
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
      throw new ContinuoError('invalid-input', { what: 'key', reason: 'it holds a space or a character that no key has' });
    }
  }

  async embed(texts: readonly string[], { signal, kind = 'passage' }: EmbedOptions = {}): Promise<Float32Array[]> {
    const vectors: Float32Array[] = texts.map(() => new Float32Array(this.dimension));
    const { maxCharacters = 6000, prefixes } = this.#options;
    const wanted = [...texts.entries()]
      .filter(([, text]) => text.trim() !== '')
      .map(([place, text]) => ({ place, text: `${prefixes?.[kind] ?? ''}${text.slice(0, maxCharacters)}`.toWellFormed() }));
    for (const batch of this.#batches(wanted)) {
      const answer = await this.#request(
        batch.map(({ text }) => text),
        signal,
      );
      for (const [i, { place }] of batch.entries()) vectors[place] = answer[i] as Float32Array;
    }
    return vectors;
  }

  *#batches<Item extends { text: string }>(items: readonly Item[]): Generator<Item[]> {
    const { batchSize = 64, batchCharacters = 100_000 } = this.#options;
    let batch: Item[] = [];
    let characters = 0;
    for (const item of items) {
      if (batch.length >= batchSize || (batch.length > 0 && characters + item.text.length > batchCharacters)) {
        yield batch;
        batch = [];
        characters = 0;
      }
      batch.push(item);
      characters += item.text.length;
    }
    if (batch.length > 0) yield batch;
  }

  async #request(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      assertWanted(signal);
      const outcome = await this.#send(texts, signal);
      assertWanted(signal);
      if (!('error' in outcome)) return outcome.vectors;
      if (!outcome.retryable || attempt >= this.#retry.attempts) throw outcome.error;
      const delay = retryDelay(this.#retry, attempt, { 'retry-after': outcome.retryAfter ?? undefined });
      await wait(delay, undefined, signal ? { signal } : {}).catch(() => assertWanted(signal));
    }
  }

  async #send(texts: readonly string[], signal: AbortSignal | undefined): Promise<Outcome> {
    const limit = AbortSignal.timeout(this.#timeout);
    let response: Response;
    let body: string;
    try {
      response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers(),
        body: JSON.stringify(this.#body(texts)),
        // A server that sends us elsewhere would send the key and the texts elsewhere, too.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      body = await response.text();
    } catch (error) {
      if (limit.aborted) return { error: this.#timeoutError(), retryable: this.#options.retriesTimeouts ?? true };
      return { error: this.#failure(networkReason(error)), retryable: true };
    }
    if (!response.ok) return this.#refusal(response, body);
    return { vectors: readVectors(body, { embedder: this.id, texts: texts.length, dimension: this.dimension }) };
  }

  #headers(): Record<string, string> {
    const { key } = this.#options;
    return { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  }

  #body(texts: readonly string[]): object {
    const { model, shorten, dimension } = this.#options;
    return { model, input: texts, encoding_format: 'float', ...(shorten && { dimensions: dimension }) };
  }

  #refusal({ status, headers }: Response, body: string): Outcome {
    if (status < 400) return { error: this.#failure('it redirects to another address', status), retryable: false };
    if (status === 401 || status === 403) {
      return { error: this.#failure(`it refused the key (HTTP ${status})`, status), retryable: false };
    }
    const complaint = readComplaint(body);
    const reason = this.#withoutKey(complaint.message) || `it answered with HTTP ${status}`;
    if (textRefused.has(status)) {
      const details = { embedder: this.id, reason, status };
      return { error: new ContinuoError('embedder-refused', details), retryable: false };
    }
    const passes = mayPass.has(status) && complaint.code !== 'insufficient_quota';
    return { error: this.#failure(reason, status), retryable: passes, retryAfter: headers.get('retry-after') };
  }

  #failure(reason: string, status?: number): ContinuoError {
    return new ContinuoError('embedder-failed', { embedder: this.id, reason, ...(status !== undefined && { status }) });
  }

  #timeoutError(): ContinuoError {
    return new ContinuoError('timeout', { what: `The embedder ${this.id}`, seconds: this.#timeout / 1000 });
  }

  #withoutKey(text: string): string {
    const { key } = this.#options;
    return key === undefined ? text : text.replaceAll(key, '…');
  }
}

type Outcome = { vectors: Float32Array[] } | { error: ContinuoError; retryable: boolean; retryAfter?: string | null | undefined };

const mayPass = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
/** Too long, or with something in it that the server does not take. */
const textRefused = new Set([400, 413, 422]);

function buildUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const what = 'base URL';
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ContinuoError('invalid-input', { what, reason: 'it must begin with http:// or https://' });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ContinuoError('invalid-input', { what, reason: 'it may not hold a key or a password' });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return url.href;
}

/** What the server says, in one line: `{error: {message, code}}`, `{error: "…"}`, `{message}`, `{detail}`; nothing of a web page. */
function readComplaint(body: string): { message: string; code?: unknown } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { message: '' };
  }
  const outer = asRecord(parsed);
  const inner = typeof outer.error === 'string' ? { message: outer.error } : asRecord(outer.error ?? outer);
  const message = [inner.message, inner.detail].find((text) => typeof text === 'string') ?? '';
  const line = (message as string).replace(/\s+/g, ' ').trim();
  return { message: line.slice(0, 300).toWellFormed().replace(/\.$/, ''), code: inner.code ?? inner.type };
}

function networkReason(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (code === 'ECONNREFUSED') return 'nobody answers there';
    if (code === 'ENOTFOUND') return 'there is no such host';
    if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'the connection was cut';
    if (typeof code === 'string' && /^[A-Z_]+$/.test(code)) return `it cannot be reached (${code})`;
  }
  return 'it cannot be reached';
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}
