// The plain chat as the slash commands see it: the same commands as in the terminal application, line by line. What it cannot do (seat
// a team) is left out, and the commands say so.
import type { Conversation as ConversationRecord } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Conversation } from '../../runtime/conversation.ts';
import type { OpenOptions } from '../../runtime/session.ts';
import { shortenId } from '../output/short-ids.ts';
import type { CurrentTalk, ReplHost } from '../repl/repl-host.ts';
import type { ChatPlan } from './chat-options.ts';
import type { ChatParts } from './chat-parts.ts';
import { LineHost, type LineHostOptions } from './line-host.ts';
import type { LineTalk } from './line-talk.ts';
import { hintLocked } from './locked.ts';
import { isKept, type Talk } from './talk.ts';

export interface PlainHostOptions extends LineHostOptions {
  plan: ChatPlan;
  talk: Talk;
  /** Puts a session together for that conversation. */
  create(plan: ChatPlan, root: OpenOptions): Promise<ChatParts>;
  /** What is told where a conversation is gone on with. */
  describe(plan: ChatPlan, chat: ChatParts, stored?: ConversationRecord, conversation?: Conversation): Promise<string[]>;
}

export class PlainHost extends LineHost implements ReplHost {
  readonly keys: readonly string[];
  readonly #options: PlainHostOptions;
  #plan: ChatPlan;
  #title: string | undefined;

  constructor(options: PlainHostOptions) {
    super(options);
    const { context, plan } = options;
    this.#options = options;
    this.#plan = plan;
    this.keys = context.text.chat.help;
  }

  protected get lines(): LineTalk {
    return this.#options.talk.lines;
  }

  get current(): CurrentTalk {
    const { conversation, chat } = this.#options.talk;
    const { isBusy } = this.lines;
    const model = chat.isOffline ? 'offline' : chat.model.id;
    return { kind: 'conversation', id: conversation?.id, title: this.#title, isBusy, model };
  }

  async recall(): Promise<ChatParts['recall']> {
    return this.#options.talk.chat.recall;
  }

  async openConversation(id: ConversationId): Promise<void> {
    const { title } = await this.store.get(id);
    await this.#exchange(this.#plan, { resume: id });
    this.#title = title;
  }

  async startNew({ title }: { title?: string } = {}): Promise<void> {
    await this.#exchange(this.#plan, this.#rootOfNew(title));
    this.#title = title;
  }

  async setModel(reference: string): Promise<void> {
    const isOffline = reference === 'offline';
    // The address of the settings belongs to the provider of the settings.
    const isSameProvider = providerOf(reference) === providerOf(this.#options.plan.model);
    const { id } = this.current;
    const root = id === undefined ? this.#rootOfNew(this.#title) : { resume: id };
    const { baseUrl } = this.#options.plan;
    const plan = { ...this.#plan, model: isOffline ? undefined : reference, baseUrl: isSameProvider ? baseUrl : undefined };
    await this.#exchange(plan, root);
    this.#plan = plan;
  }

  knownModels(): readonly string[] {
    return [...new Set([this.#plan.model, this.#options.plan.model].filter((model) => model !== undefined))];
  }

  async compact() {
    return this.#options.talk.conversation?.compact();
  }

  async uncompact() {
    return this.#options.talk.conversation?.uncompact();
  }

  listApprovals() {
    return this.#options.talk.chat.session.approvals.list();
  }

  revokeApproval(id: string): Promise<void> {
    return this.#options.talk.chat.session.approvals.revoke(id);
  }

  todos(): [] {
    return [];
  }

  interrupt(): boolean {
    return this.#options.talk.conversation?.cancel() ?? false;
  }

  /** There is nothing behind a plain chat: to end it is to leave. */
  async leave(): Promise<void> {
    this.lines.leave();
  }

  async #describeLeft(left: Conversation): Promise<string> {
    const { chat } = this.context.text;
    return isKept(left) ? chat.left(await shortenId(this.store, left.id)) : chat.leftUnkept;
  }

  #rootOfNew(title: string | undefined): OpenOptions {
    const { here } = this.#options;
    return {
      create: { agent: 'continuo', project: here.key, meta: { place: here.place }, ...(title !== undefined && { title }) },
    };
  }

  /** Another session takes the place of this one; where it cannot be had, this one goes on. */
  async #exchange(plan: ChatPlan, root: OpenOptions): Promise<void> {
    const { talk, create, describe } = this.#options;
    if (this.lines.isBusy && !this.interrupt()) throw new ContinuoError('conversation-busy', { id: this.current.id ?? '' });
    await this.lines.settled();
    const before: OpenOptions = talk.conversation ? { resume: talk.conversation.id } : this.#rootOfNew(this.#title);
    const stored = root.resume === undefined ? undefined : await this.store.get(root.resume);
    // A model that does not exist is told before anything is closed.
    const chat = await create(plan, root);
    await talk.chat.close();
    try {
      const conversation = stored && (await hintLocked(this.context, this.store, () => chat.session.root()));
      const left = talk.conversation;
      talk.use(chat, conversation);
      if (left && left.id !== root.resume) this.say(await this.#describeLeft(left), 'note');
      this.say(await describe(plan, chat, stored, conversation), 'note');
    } catch (error) {
      await chat.close();
      const again = await create(this.#plan, before);
      talk.use(again, before.resume === undefined ? undefined : await again.session.root());
      throw error;
    }
  }
}

function providerOf(reference: string | undefined): string | undefined {
  return reference?.split(':')[0];
}
