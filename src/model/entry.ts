// An entry is one durable line of a conversation. What callers hand in (NewEntry) and what they get back (Entry).
import * as z from 'zod';
import type { ConversationId, EntryId } from './id.ts';
import { jsonObjectSchema, jsonSchema } from './json-schema.ts';
import { momentSchema } from './moment.ts';

export const roleSchema = z.enum(['user', 'assistant', 'system']);
export type Role = z.infer<typeof roleSchema>;

const authorSchema = z.strictObject({ id: z.string().optional(), name: z.string() });
const usageSchema = z.strictObject({
  inputTokens: z.int().nonnegative().optional(),
  outputTokens: z.int().nonnegative().optional(),
  cachedTokens: z.int().nonnegative().optional(),
});

const common = {
  /** When it was said, in milliseconds since 1970; the moment of the append if left out. */
  at: momentSchema.optional(),
  /** Groups the entries that one human input led to. */
  turnId: z.string().optional(),
  /** Anything else worth keeping. Treated as text: masked, encrypted and withheld like it. */
  meta: jsonObjectSchema.optional(),
};

const messageSchema = z.strictObject({
  kind: z.literal('message'),
  role: roleSchema,
  text: z.string(),
  author: authorSchema.optional(),
  model: z.string().optional(),
  usage: usageSchema.optional(),
  /** The answer was cut off: the process died, or the turn was cancelled. */
  interrupted: z.boolean().optional(),
  ...common,
});

const thinkingSchema = z.strictObject({ kind: z.literal('thinking'), text: z.string(), model: z.string().optional(), ...common });

const toolCallSchema = z.strictObject({
  kind: z.literal('tool-call'),
  callId: z.string(),
  tool: z.string(),
  input: jsonSchema,
  ...common,
});

const toolResultSchema = z.strictObject({
  kind: z.literal('tool-result'),
  callId: z.string(),
  tool: z.string().optional(),
  text: z.string(),
  /** Structured output beside the text. */
  output: jsonSchema.optional(),
  failed: z.boolean().optional(),
  ...common,
});

const summarySchema = z.strictObject({
  kind: z.literal('summary'),
  text: z.string(),
  /** The first and the last position it stands for. The entries themselves stay. */
  covers: z.strictObject({ from: z.int().positive(), to: z.int().positive() }),
  ...common,
});

const labelSchema = z.strictObject({ kind: z.literal('label'), name: z.string().min(1), text: z.string(), ...common });

const eventSchema = z.strictObject({
  kind: z.literal('event'),
  /** Noun-verb: `turn-start`, `turn-end`, `tool-approval`. */
  name: z.string().min(1),
  /** How it came out: an error's code, `allowed`, `denied`. */
  code: z.string().optional(),
  /** Figures: tokens, calls, milliseconds. */
  counts: z.record(z.string(), z.number()).optional(),
  /** What happened, for people; empty where the name says it all. */
  text: z.string(),
  ...common,
});

export const newEntrySchema = z.discriminatedUnion('kind', [
  messageSchema,
  thinkingSchema,
  toolCallSchema,
  toolResultSchema,
  summarySchema,
  labelSchema,
  eventSchema,
]);

export type NewEntry = z.infer<typeof newEntrySchema>;
export type EntryKind = NewEntry['kind'];

/** What the store adds when an entry becomes durable. */
export interface EntryStamp {
  id: EntryId;
  /** The conversation it was said in: for the shared part of a fork, the one it was forked from. */
  conversationId: ConversationId;
  /** Its position, counted from 1 without gaps in the order of appends. */
  seq: number;
  at: number;
  /** How many secrets were masked in it before it was written. */
  masked?: number;
  /** Present where the storage policy kept the header only: how many characters were said. Text fields are then empty. */
  withheld?: { characters: number };
}

export type Entry = NewEntry & EntryStamp;

/** An answer in the making, as far as it was made durable. Not an entry yet. */
export type Draft = NewEntry & {
  at: number;
  /** The conversation's last position when it was put. */
  after: number;
};
