// The conversation the calling agent is in right now: leaving it out of its own results saves the agent from reading itself. It is known
// by the agent's session id (in the environment, or sent along with a request), or named by who started the server.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationId } from '../model/id.ts';
import type { RecallQuery } from '../model/ports/recall.ts';
import { LeftOut } from '../recall/left-out.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { formatImportKey } from '../transcripts/import-state.ts';
import { isObject } from './read-message.ts';

/** What conversations of which agents may be filed under, by the variable that holds the session's id. */
const variables: Readonly<Record<string, readonly string[]>> = {
  CLAUDE_CODE_SESSION_ID: ['claude-code'],
  COPILOT_AGENT_SESSION_ID: ['copilot'],
};
const mostNamed = 8;
const longestName = 200;

/** Ids, keys or beginnings of ids, as they were given. */
export function namesFromEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(variables).flatMap(([variable, agents]) => {
    const id = env[variable]?.trim();
    return id === undefined || id === '' ? [] : agents.map((agent) => formatImportKey(agent, id));
  });
}

/** The same out of a request's `_meta`: Codex names its thread there, others may say `continuo/except`. */
export function namesFromRequest(meta: unknown): string[] {
  if (!isObject(meta)) return [];
  const turn = isObject(meta['x-codex-turn-metadata']) ? meta['x-codex-turn-metadata'] : {};
  const threads = [meta.threadId, meta.sessionId, turn.session_id].filter(isName);
  const given = [meta['continuo/except']].flat().filter(isName);
  return [...new Set([...given, ...threads.map((id) => formatImportKey('codex', id))])].slice(0, mostNamed);
}

export class OwnSession {
  /** What a query leaves out: the conversation, and the sub-agents it sent out. */
  readonly query: Readonly<Required<Pick<RecallQuery, 'exceptKeys'>> & { except: readonly ConversationId[] }>;
  readonly #leftOut: LeftOut;

  private constructor(query: OwnSession['query'], leftOut: LeftOut) {
    this.query = query;
    this.#leftOut = leftOut;
  }

  /** Names that mean nothing here are nobody's conversation; sub-agents may name one that is not stored itself. */
  static async find(store: ConversationStore, names: readonly string[]): Promise<OwnSession> {
    const except: ConversationId[] = [];
    for (const name of names) {
      const conversation = await store.resolve(name).catch(() => undefined);
      if (conversation) except.push(conversation.id);
    }
    const query = { except, exceptKeys: names };
    return new OwnSession(query, await LeftOut.find(store, query));
  }

  /** The conversation itself, and those of the sub-agents it sent out, also of theirs. */
  has(conversation: Conversation): Promise<boolean> {
    return this.#leftOut.has(conversation);
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName;
}
