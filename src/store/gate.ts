// The one gate into the store: what callers hand in is validated, masked and cut to what the policy allows before a driver sees it.
import type * as z from 'zod';
import type { JsonValue } from '../base/json.ts';
import { type NewConversation, newConversationSchema } from '../model/conversation.ts';
import { type NewEntry, newEntrySchema } from '../model/entry.ts';
import { ContinuoError } from '../model/error.ts';
import type { EncodedEntry } from '../model/ports/store-driver.ts';
import type { StoragePolicy } from '../model/storage-policy.ts';
import { encodeEntry } from './entry-codec.ts';
import { isPlainEntry } from './plain-entry.ts';
import type { Redactor } from './redaction/redactor.ts';

export interface Admitted {
  /** The entries as they will be seen again, and as they are written; the two go together by index. */
  entries: NewEntry[];
  encoded: EncodedEntry[];
  masked: number;
}

export class Gate {
  readonly #redactor: Redactor | undefined;

  constructor(redactor: Redactor | undefined) {
    this.#redactor = redactor;
  }

  /** The entries as they may be written. Under policy `none` only events are, without their words. */
  admitEntries(entries: readonly NewEntry[], policy: StoragePolicy, now: number): Admitted {
    const admitted: Admitted = { entries: [], encoded: [], masked: 0 };
    for (const entry of entries) {
      const clean = this.#redactEntry(wellFormed(isPlainEntry(entry) ? entry : validate('entry', newEntrySchema, entry)));
      admitted.masked += clean.masked;
      if (policy.kind === 'none' && entry.kind !== 'event') continue;
      admitted.entries.push(clean.entry);
      admitted.encoded.push(encodeEntry(clean.entry, clean.entry.at ?? now, clean.masked, policy));
    }
    return admitted;
  }

  admitConversation(conversation: NewConversation): NewConversation {
    const valid = validate('conversation', newConversationSchema, conversation);
    const clean: NewConversation = { ...valid };
    for (const name of ['title', 'project', 'team', 'agent'] as const) {
      const text = valid[name];
      if (text !== undefined) clean[name] = this.redactText(text);
    }
    if (valid.tags !== undefined) clean.tags = valid.tags.map((tag) => this.redactText(tag));
    if (valid.meta !== undefined && this.#redactor) clean.meta = this.#redactor.redactJson(valid.meta).value;
    return clean;
  }

  redactText(text: string): string {
    return this.#redactor ? this.#redactor.redactText(text).text : text;
  }

  #redactEntry(entry: NewEntry): { entry: NewEntry; masked: number } {
    const redactor = this.#redactor;
    if (!redactor) return { entry, masked: 0 };
    let masked = 0;
    const changes: { text?: string; input?: unknown; output?: unknown; meta?: unknown } = {};
    if ('text' in entry) {
      const clean = redactor.redactText(entry.text);
      if (clean.masked > 0) changes.text = clean.text;
      masked += clean.masked;
    }
    for (const name of ['input', 'output', 'meta'] as const) {
      const value = (entry as { [field in typeof name]?: JsonValue })[name];
      if (value === undefined) continue;
      const clean = redactor.redactJson(value);
      if (clean.masked > 0) changes[name] = clean.value;
      masked += clean.masked;
    }
    return { entry: masked > 0 ? ({ ...entry, ...changes } as NewEntry) : entry, masked };
  }
}

/** A lone surrogate cannot be written as UTF-8: replaced here, so that what is acknowledged is what is read back. */
function wellFormed(entry: NewEntry): NewEntry {
  return 'text' in entry && !entry.text.isWellFormed() ? { ...entry, text: entry.text.toWellFormed() } : entry;
}

/** The value as the schema reads it, or `invalid-input` naming the place of the first mistake. */
export function validate<Output>(what: string, schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = issue?.path.join('.');
  const reason = issue ? (place ? `${place}: ${issue.message}` : issue.message) : 'unknown mistake';
  throw new ContinuoError('invalid-input', { what, reason });
}
