// Notices to an address of the person's choosing, as JSON. Invariant: nothing that was said in a conversation is sent unless the
// person wants that; and the address, which may hold a secret, is in no message.
import { setTimeout as sleep } from 'node:timers/promises';
import { ContinuoError } from '../../model/error.ts';
import type { Notice, Notifier } from './notice.ts';

const defaultTimeout = 5000;
const retryDelay = 250;
const mostAtOnce = 8;

export interface WebhookSettings {
  /** http or https, also on this machine. */
  url: string;
  /** Sends also the answer and what a question is about. */
  includeText?: boolean;
  /** Milliseconds one attempt may take; default 5 seconds. */
  timeout?: number;
}

export function createWebhookNotifier(settings: WebhookSettings): Notifier {
  const { includeText = false, timeout = defaultTimeout } = settings;
  const url = parseAddress(settings.url);
  let underWay = 0;
  return {
    async notify(notice) {
      if (underWay >= mostAtOnce) throw failure(url, 'too many notices wait for an answer');
      underWay += 1;
      try {
        await postTwice(url, JSON.stringify(buildBody(notice, includeText)), timeout);
      } finally {
        underWay -= 1;
      }
    },
  };
}

async function postTwice(url: URL, body: string, timeout: number): Promise<void> {
  const first = await post(url, body, timeout);
  if (!first) return;
  if (!first.again) throw failure(url, first.reason, first.cause);
  await sleep(retryDelay);
  const second = await post(url, body, timeout);
  if (second) throw failure(url, second.reason, second.cause);
}

/** What went wrong, if anything did. */
async function post(
  url: URL,
  body: string,
  timeout: number,
): Promise<{ reason: string; again: boolean; cause?: unknown } | undefined> {
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'continuo' };
    const signal = AbortSignal.timeout(timeout);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    if (response.ok) return undefined;
    return { reason: `it answered ${response.status}`, again: response.status >= 500 || response.status === 429 };
  } catch (cause) {
    const late = cause instanceof Error && cause.name === 'TimeoutError';
    return { reason: late ? 'it did not answer in time' : 'it cannot be reached', again: true, cause };
  }
}

function buildBody(notice: Notice, includeText: boolean): object {
  if (includeText) return notice;
  if (notice.kind === 'turn-end') {
    const { text: _text, ...rest } = notice;
    return rest;
  }
  const { summary: _summary, ...rest } = notice;
  return rest;
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ContinuoError('invalid-input', { what: 'webhook', reason: 'it must begin with http:// or https://' });
}

function failure(url: URL, reason: string, cause?: unknown): ContinuoError {
  return new ContinuoError('io-failed', { path: url.origin, reason }, { cause });
}
