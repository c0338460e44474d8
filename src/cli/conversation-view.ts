// A conversation as it is shown: as JSON, and by the words people recognise it by.
import type { Conversation } from '../model/conversation.ts';
import { isProjectKey } from '../project/project-key.ts';
import { nameProject } from '../recall/context/context-source.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { Messages } from './messages/messages.ts';
import { firstLine, plainLine } from './output/plain-text.ts';

/** How far into a conversation its first words are looked for. */
const previewDepth = 10;
const previewLength = 200;

export type ConversationJson = Conversation & {
  /** When the trash may be emptied of it; present where it is in the trash. */
  purgeAt?: number;
};

export function toJson(store: ConversationStore, conversation: Conversation): ConversationJson {
  const { trashedAt } = conversation;
  return trashedAt === undefined ? conversation : { ...conversation, purgeAt: store.purgeDate(trashedAt) };
}

/** What people call its project: a key says nothing to them, and where there is one the folder has a name. */
export function projectLabel(conversation: Conversation): string | undefined {
  const { project } = conversation;
  return isProjectKey(project) ? (nameProject(conversation) ?? project) : project;
}

/** The first line the user said in it. */
export function findPreview(store: ConversationStore, conversation: Conversation): Promise<string | undefined> {
  return findFirstLine(store, conversation, 0);
}

/** What it is called where recall told no title: by its own first words. What it shares as a fork may be hidden. */
export async function findOwnName(store: ConversationStore, conversation: Conversation): Promise<string | undefined> {
  return (await findFirstLine(store, conversation, conversation.forkedFrom?.seq ?? 0)) ?? conversation.key;
}

async function findFirstLine(store: ConversationStore, conversation: Conversation, after: number): Promise<string | undefined> {
  if (conversation.lastSeq === 0) return undefined;
  const { items } = await store.read(conversation.id, { after, limit: previewDepth });
  const said = items.filter((entry) => entry.kind === 'message' && entry.text !== '');
  const first = said.find((entry) => entry.kind === 'message' && entry.role === 'user') ?? said[0];
  return first && 'text' in first ? firstLine(first.text).slice(0, previewLength) || undefined : undefined;
}

/** What stands in the place of a name where there is none: a conversation whose text was not kept is no empty one. */
export function namelessWords({ list }: Messages, { lastSeq, policy }: Conversation): string {
  return lastSeq > 0 && policy.kind !== 'full' ? list.withheld : list.untitled;
}

/** Its title, or what was said first, or its key. */
export async function findName(store: ConversationStore, conversation: Conversation): Promise<string | undefined> {
  return (conversation.title && plainLine(conversation.title)) || ((await findPreview(store, conversation)) ?? conversation.key);
}
