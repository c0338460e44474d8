// Grants in the conversations' own data: each under a name of its own, so that two processes never undo each other's changes.
// Invariant: a grant belongs to the conversation that it names as its holder; a fork inherits the data but not what was allowed.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Conversation } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import { type ConversationId, isConversationId } from '../../model/id.ts';
import type { ConversationPage, ListQuery } from '../../model/list-query.ts';
import type { CommandKey, Grant, GrantStore } from './approval-grants.ts';

const prefix = 'approval:';
const pageSize = 1000;

/** What is needed of a conversation store. */
export interface GrantHome {
  find(id: string): Promise<Conversation | undefined>;
  list(query?: ListQuery): Promise<ConversationPage>;
  /** Changes single names of a conversation's data; null removes one. */
  mergeMeta(id: ConversationId, changes: JsonObject): Promise<Conversation>;
}

export class StoreGrants implements GrantStore {
  readonly #home: GrantHome;

  constructor(home: GrantHome) {
    this.#home = home;
  }

  async load(conversationId: ConversationId): Promise<Grant[]> {
    const conversation = await this.#home.find(conversationId);
    return conversation ? readGrants(conversation) : [];
  }

  async save(conversationId: ConversationId, grant: Grant): Promise<boolean> {
    const conversation = await this.#home.find(conversationId);
    if (!conversation || !keepsText(conversation)) return false;
    await this.#home.mergeMeta(conversationId, { [prefix + grant.id]: formatGrant(grant) });
    return true;
  }

  async remove(conversationId: ConversationId, grantId: string): Promise<boolean> {
    const grants = await this.load(conversationId);
    if (!grants.some(({ id }) => id === grantId)) return false;
    await this.#home.mergeMeta(conversationId, { [prefix + grantId]: null });
    return true;
  }
}

export interface StoredGrant extends Grant {
  /** The title of the conversation that holds it. */
  title?: string;
}

/** Every grant in the store, also those that have expired and were not cleared away yet; newest first. */
export async function listStoredGrants(home: GrantHome): Promise<StoredGrant[]> {
  const grants: StoredGrant[] = [];
  let cursor: string | undefined;
  do {
    const page: ConversationPage = await home.list({
      limit: pageSize,
      trash: 'include',
      ...(cursor !== undefined && { cursor }),
    });
    for (const conversation of page.items) {
      const { title } = conversation;
      for (const grant of readGrants(conversation)) grants.push(title === undefined ? grant : { ...grant, title });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return grants.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

/** Takes back the one grant whose id begins with the text (`apv_` may be left out), and returns it. */
export async function revokeStoredGrant(home: GrantHome, idOrPrefix: string): Promise<StoredGrant> {
  const wanted = idOrPrefix.startsWith('apv_') ? idOrPrefix : `apv_${idOrPrefix.toLowerCase()}`;
  const fitting = wanted === 'apv_' ? [] : (await listStoredGrants(home)).filter(({ id }) => id.startsWith(wanted));
  const grant = fitting.find(({ id }) => id === wanted) ?? fitting[0];
  if (!grant) throw new ContinuoError('approval-not-found', { id: idOrPrefix });
  if (fitting.length > 1 && grant.id !== wanted) {
    throw new ContinuoError('invalid-input', { what: 'approval id', reason: 'it fits several approvals; give more characters' });
  }
  await home.mergeMeta(grant.heldBy, { [prefix + grant.id]: null });
  return grant;
}

/** A command may quote what was said, so it is kept only where that is kept for good. */
function keepsText({ policy }: Conversation): boolean {
  return policy.kind === 'full';
}

function readGrants({ id, meta }: Conversation): Grant[] {
  const grants: Grant[] = [];
  for (const [name, value] of Object.entries(meta)) {
    const grant = name.startsWith(prefix) ? parseGrant(name.slice(prefix.length), value) : undefined;
    if (grant?.heldBy === id) grants.push(grant);
  }
  return grants;
}

function formatGrant({ key, createdAt, heldBy }: Grant): JsonObject {
  const { path, exact, conversation, expiresAt } = key;
  return {
    path,
    createdAt,
    heldBy,
    ...(exact && { exact }),
    ...(conversation !== undefined && { conversation }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** Undefined for anything that is not wholly understood: then it allows nothing. */
function parseGrant(id: string, value: JsonValue | undefined): Grant | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { path, createdAt, heldBy, exact, conversation, expiresAt, ...others } = value;
  if (Object.keys(others).length > 0) return undefined;
  if (!Array.isArray(path) || path.length === 0 || !path.every((word) => typeof word === 'string')) return undefined;
  if (typeof createdAt !== 'number' || !isHolder(heldBy)) return undefined;
  const key: CommandKey = { path };
  if (exact === true) key.exact = true;
  else if (exact !== undefined) return undefined;
  if (isHolder(conversation)) key.conversation = conversation;
  else if (conversation !== undefined) return undefined;
  if (typeof expiresAt === 'number') key.expiresAt = expiresAt;
  else if (expiresAt !== undefined) return undefined;
  return { id, key, createdAt, heldBy };
}

function isHolder(value: JsonValue | undefined): value is ConversationId {
  return typeof value === 'string' && isConversationId(value);
}
