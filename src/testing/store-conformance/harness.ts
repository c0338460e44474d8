// What a driver brings to the suite, and what each case gets.
import assert from 'node:assert/strict';
import type { NewEntry } from '../../model/entry.ts';
import { isContinuoError } from '../../model/error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import type { StoreDriver } from '../../model/ports/store-driver.ts';
import type { ConversationStore, StoreOptions } from '../../store/conversation-store.ts';

/** One place for data. `driver()` gives a new driver instance over that same place, as another process would open it. */
export interface ConformanceHarness {
  driver(): StoreDriver;
  /** Opens a store over a new driver instance; closed by the suite when the case ends. */
  open(options?: Partial<Omit<StoreOptions, 'driver'>>): Promise<ConversationStore>;
  /** A folder for the case's own files. */
  folder: string;
}

export interface ConformanceCase {
  name: string;
  run(harness: ConformanceHarness): Promise<void>;
}

/** A clock the case moves by hand. */
export function createManualClock(start = 1_700_000_000_000): { (): number; advance(milliseconds: number): void } {
  let now = start;
  const clock = () => now;
  return Object.assign(clock, {
    advance(milliseconds: number) {
      now += milliseconds;
    },
  });
}

export function say(text: string, role: 'user' | 'assistant' | 'system' = 'user'): NewEntry {
  return { kind: 'message', role, text };
}

export async function assertRefused(promise: Promise<unknown>, code: ErrorCode): Promise<Readonly<Record<string, unknown>>> {
  let thrown: unknown;
  try {
    await promise;
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown !== undefined, `expected a refusal with ${code}, but it went through`);
  assert.ok(isContinuoError(thrown), `expected a coded refusal, got ${String(thrown)}`);
  assert.equal(thrown.code, code);
  return thrown.details;
}

export async function texts(store: ConversationStore, id: Parameters<ConversationStore['readAll']>[0]): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of store.readAll(id)) found.push('text' in entry ? entry.text : entry.kind);
  return found;
}
