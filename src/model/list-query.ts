// What a list of conversations can be narrowed by. Newest activity first, pages by cursor.
import * as z from 'zod';
import type { Conversation } from './conversation.ts';

export const listQuerySchema = z.strictObject({
  project: z.string().optional(),
  key: z.string().optional(),
  team: z.string().optional(),
  agent: z.string().optional(),
  /** Conversations that carry this tag. */
  tag: z.string().optional(),
  pinned: z.boolean().optional(),
  /** Conversations active at or after this moment. */
  since: z.int().optional(),
  /** Conversations active before this moment. */
  before: z.int().optional(),
  /** Part of the title, upper or lower case. */
  title: z.string().optional(),
  /** Direct forks of this conversation. */
  forkedFrom: z.string().optional(),
  /** Whether conversations in the trash are left out (default), the only ones, or listed with the others. */
  trash: z.enum(['exclude', 'only', 'include']).optional(),
  limit: z.int().min(1).max(1000).optional(),
  cursor: z.string().optional(),
});

export type ListQuery = z.infer<typeof listQuerySchema>;

export interface Page<Item> {
  items: Item[];
  /** Where the next page starts; absent on the last page. */
  nextCursor?: string;
}

export type ConversationPage = Page<Conversation>;
