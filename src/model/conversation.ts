// A conversation is the durable thread: its own data here, its entries in the log.
import * as z from 'zod';
import type { JsonObject } from '../base/json.ts';
import type { ConversationId } from './id.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { momentSchema } from './moment.ts';
import { type StoragePolicy, storagePolicySchema } from './storage-policy.ts';

const maxKeyLength = 1024;
const tagSchema = z.string().trim().min(1).max(100);
const nameSchema = z.string().min(1).max(1000);

export const newConversationSchema = z.strictObject({
  title: z.string().max(1000).optional(),
  /** A name of the caller's choosing, unique in the store: `{platform}:{user or chat}` for chat platforms. */
  key: z.string().min(1).max(maxKeyLength).optional(),
  /** The project it belongs to. */
  project: nameSchema.optional(),
  team: nameSchema.optional(),
  /** The agent it was held with. */
  agent: nameSchema.optional(),
  tags: z.array(tagSchema).max(100).optional(),
  pinned: z.boolean().optional(),
  policy: storagePolicySchema.optional(),
  createdAt: momentSchema.optional(),
  meta: jsonObjectSchema.optional(),
});

export type NewConversation = z.infer<typeof newConversationSchema>;

export interface Conversation {
  id: ConversationId;
  title?: string;
  key?: string;
  project?: string;
  team?: string;
  agent?: string;
  tags: string[];
  pinned: boolean;
  policy: StoragePolicy;
  meta: JsonObject;
  createdAt: number;
  /** The newest moment anything was said in it; its creation while nothing was. Lists are ordered by it. */
  activeAt: number;
  /** The position of its newest entry; 0 while it has none. */
  lastSeq: number;
  /** Where it branched off: it shares that conversation's entries up to and including `seq`. */
  forkedFrom?: { id: ConversationId; seq: number };
  /** When it was put into the trash. */
  trashedAt?: number;
}

/** The fields that may change after creation. `null` clears a field. */
export interface ConversationPatch {
  /** `null` gives the key up, so that another conversation may take it. */
  key?: null;
  title?: string | null;
  project?: string | null;
  team?: string | null;
  agent?: string | null;
  /** Tags to add and to remove; given separately so that two writers do not undo each other. */
  addTags?: readonly string[];
  removeTags?: readonly string[];
  pinned?: boolean;
  meta?: JsonObject;
  /** Fields of `meta` to set, `null` to remove one; the others stay, so that two writers do not undo each other. */
  mergeMeta?: JsonObject;
  trashedAt?: number | null;
}
