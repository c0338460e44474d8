// The conversation a code agent works in: begun, gone on with, or laid anew from saved messages where this store does not hold it.
// Keeps the messages in step with the log, so that a save needs to read nothing.
import type { NewConversation } from '../model/conversation.ts';
import type { NewEntry } from '../model/entry.ts';
import { type ConversationId, isConversationId } from '../model/id.ts';
import type { TextModel } from '../model/ports/text-model.ts';
import type { Tool } from '../model/ports/tool.ts';
import type { SessionApprovalsOptions } from '../runtime/approvals/session-approvals.ts';
import type { Conversation } from '../runtime/conversation.ts';
import type { RuntimeEvent } from '../runtime/runtime-event.ts';
import { Session } from '../runtime/session.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { fromOpenAiMessage, type OpenAiMessage, OpenAiMessageList } from '../transcripts/openai/openai-messages.ts';
import type { CodeAgentState } from './code-agent-state.ts';
import type { CopiedSession } from './copied-session.ts';

export interface AgentSessionParts {
  store: ConversationStore;
  model: TextModel;
  instructions: string;
  tools: readonly Tool[];
  approvals: SessionApprovalsOptions;
  /** Data of a new conversation. */
  create: NewConversation;
  clock: () => number;
  onEvent: (event: RuntimeEvent) => void;
}

/** What a session says of its conversation; whether the project is a copy, and of what. */
export type SavedConversation = Pick<CodeAgentState, 'conversation' | 'messages'> & { copied?: CopiedSession | undefined };

/** How much of a turn that was told to stop is waited for. */
export const closeTimeout = 2000;
const importBatch = 500;

export class AgentSession {
  readonly session: Session;
  readonly conversation: Conversation;
  /** It is another conversation than the saved one: laid from the messages, or forked for a copy of the project. */
  readonly isAnother: boolean;
  /** What was said to the model after the last save. */
  readonly saidSince: readonly string[];
  readonly #list: OpenAiMessageList;
  #seq: number;

  private constructor(
    { session, conversation, isAnother, saidSince }: Pick<AgentSession, 'session' | 'conversation' | 'isAnother' | 'saidSince'>,
    list: OpenAiMessageList,
    seq: number,
  ) {
    this.session = session;
    this.conversation = conversation;
    this.isAnother = isAnother;
    this.saidSince = saidSince;
    this.#list = list;
    this.#seq = seq;
    session.events.listen((event) => {
      if (event.type !== 'entry-append' || event.conversationId !== conversation.id) return;
      this.#list.push(event.entry);
      this.#seq = event.entry.seq;
    });
  }

  static async open(parts: AgentSessionParts, saved?: SavedConversation): Promise<AgentSession> {
    const { store, model, instructions, tools, approvals, clock, onEvent } = parts;
    const found = saved && (await findOrLay(store, parts.create, saved));
    const resume = found?.id;
    const session = Session.create({ store, model, instructions, tools, approvals, clock, closeTimeout, owner: 'continuo code' });
    session.events.listen(onEvent);
    try {
      const conversation = await session.open(resume === undefined ? { create: parts.create } : { resume });
      const list = new OpenAiMessageList();
      const isAnother = resume !== undefined && resume !== saved?.conversation?.id;
      const savedSeq = found?.isLaid ? Number.POSITIVE_INFINITY : (saved?.conversation?.seq ?? 0);
      const saidSince: string[] = [];
      let seq = 0;
      if (resume !== undefined) {
        for await (const entry of store.readAll(conversation.id)) {
          list.push(entry);
          seq = entry.seq;
          if (seq > savedSeq && entry.kind === 'message' && entry.role === 'user') saidSince.push(entry.text);
        }
      }
      return new AgentSession({ session, conversation, isAnother, saidSince }, list, seq);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get messages(): readonly OpenAiMessage[] {
    return this.#list.messages;
  }

  /** The position in the log up to which the messages reach. */
  get seq(): number {
    return this.#seq;
  }

  close(): Promise<void> {
    return this.session.close();
  }
}

/**
 * The conversation in this store, if it holds at least what was saved; a fork of it where the project is a copy, or both would go on
 * in one; else a new one with the saved messages.
 */
async function findOrLay(
  store: ConversationStore,
  create: NewConversation,
  { conversation, messages, copied }: SavedConversation,
): Promise<{ id: ConversationId; isLaid: boolean }> {
  const known = conversation && isConversationId(conversation.id) ? await store.find(conversation.id) : undefined;
  if (known && known.trashedAt === undefined && known.lastSeq >= (conversation?.seq ?? 0)) {
    if (copied === undefined) return { id: known.id, isLaid: false };
    const fork = await store.fork(known.id, copied === 'as-saved' ? { at: conversation?.seq } : {});
    return { id: fork.id, isLaid: false };
  }
  const { id } = await store.create(create);
  const entries = nameResults(messages.flatMap((message) => fromOpenAiMessage(JSON.parse(JSON.stringify(message)))));
  for (let from = 0; from < entries.length; from += importBatch) await store.append(id, entries.slice(from, from + importBatch));
  return { id, isLaid: true };
}

/** In OpenAI's format a result names its call alone. */
function nameResults(entries: readonly NewEntry[]): NewEntry[] {
  const tools = new Map<string, string>();
  return entries.map((entry) => {
    if (entry.kind === 'tool-call') tools.set(entry.callId, entry.tool);
    const tool = entry.kind === 'tool-result' ? tools.get(entry.callId) : undefined;
    return tool === undefined ? entry : { ...entry, tool };
  });
}
