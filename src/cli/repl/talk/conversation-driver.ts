// A conversation with one model, or offline with what is stored, as the application leads it. Nothing is created until something is
// said; what is said during a turn goes into it.
import type { JsonValue } from '../../../base/json.ts';
import type { Conversation as ConversationRecord } from '../../../model/conversation.ts';
import { isContinuoError } from '../../../model/error.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../../runtime/approvals/approvals.ts';
import type { Conversation } from '../../../runtime/conversation.ts';
import type { RuntimeEvent } from '../../../runtime/runtime-event.ts';
import type { ChatPlan } from '../../chat/chat-options.ts';
import { type ChatParts, createChat } from '../../chat/chat-parts.ts';
import { describeStart } from '../../chat/chat-start.ts';
import { describeInterruption } from '../../chat/interruption.ts';
import { TurnView } from '../../chat/turn-view.ts';
import type { Context } from '../../context.ts';
import { findName } from '../../conversation-view.ts';
import type { OpenHome } from '../../open-home.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { Here } from '../../recall/here.ts';
import type { ConversationTalk } from '../repl-host.ts';
import type { MemberView } from '../view/repl-view.ts';
import type { ScreenState, SpokenBy } from '../view/screen-state.ts';
import { showEarlier } from './earlier.ts';
import { type TalkDriver, tellFailure } from './talk-driver.ts';

export interface ConversationDriverOptions {
  context: Context;
  opened: OpenHome;
  here: Here;
  plan: ChatPlan;
  screen: ScreenState;
  ask: (question: ApprovalQuestion, input: JsonValue | undefined) => Promise<ApprovalAnswer>;
  /** The stored conversation to go on with; a new one where there is none. */
  stored?: ConversationRecord;
  title?: string;
  /** What was said before stands on the screen already. */
  isShown?: boolean;
}

export class ConversationDriver implements TalkDriver {
  readonly #options: ConversationDriverOptions;
  readonly #chat: ChatParts;
  readonly #speaker: SpokenBy;
  #conversation: Conversation | undefined;
  #title: string | undefined;
  /** Messages whose turn has not ended. */
  #open = 0;
  #settled: Promise<unknown> = Promise.resolve();
  #abort = new AbortController();
  #told: unknown;
  #streamed = 0;
  #tokens = 0;

  private constructor(options: ConversationDriverOptions, chat: ChatParts) {
    this.#options = options;
    this.#chat = chat;
    this.#title = options.stored?.title ?? options.title;
    this.#speaker = { name: plainLine(chat.isOffline ? 'offline' : chat.model.id), paint: 'cyan' };
    const view = new TurnView(options.context, {
      write: (text) => options.screen.speak(this.#speaker, text),
      line: (text) => options.screen.say(text, { isPainted: true }),
    });
    chat.session.events.listen((event) => {
      view.show(event);
      this.#follow(event);
    });
  }

  static async open(options: ConversationDriverOptions): Promise<ConversationDriver> {
    const { context, opened, plan, here, stored, screen, title } = options;
    const begin = { agent: 'continuo', ...(title !== undefined && { title }) };
    const root = stored ? { resume: stored.id } : { create: { ...begin, project: here.key, meta: { place: here.place } } };
    const chat = await createChat(context, opened, plan, {
      root,
      here,
      tell: (line) => screen.say(plainLine(line), { paint: 'dim' }),
      ...(plan.canAsk && { ask: options.ask }),
    });
    const driver = new ConversationDriver(options, chat);
    try {
      if (stored) driver.#conversation = await chat.session.root();
      await driver.#showStart();
    } catch (error) {
      await chat.close();
      throw error;
    }
    return driver;
  }

  get current(): ConversationTalk {
    return {
      kind: 'conversation',
      id: this.#conversation?.id,
      title: this.#title,
      isBusy: this.#open > 0,
      model: this.#chat.isOffline ? 'offline' : this.#chat.model.id,
    };
  }

  get members(): readonly MemberView[] {
    return [];
  }

  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  get session(): ChatParts['session'] {
    return this.#chat.session;
  }

  say(text: string): Promise<void> {
    const said = this.#say(text);
    this.#settled = Promise.all([this.#settled, said]);
    return said;
  }

  /** What was said so far is answered, or stopped, and saved. */
  async settled(): Promise<void> {
    await this.#settled;
  }

  async #say(text: string): Promise<void> {
    const { context, plan, screen } = this.#options;
    if (this.#open === 0) this.#abort = new AbortController();
    this.#open += 1;
    screen.status({ speaking: this.#speaker.name, busySince: screen.view.status.busySince ?? context.now(), saved: 'saving' });
    try {
      this.#conversation ??= await this.#chat.session.root();
      const { signal } = this.#abort;
      await this.#conversation.message(text, { signal, ...(plan.timeout !== undefined && { timeout: plan.timeout }) });
    } catch (error) {
      this.#tell(error);
    }
    this.#open -= 1;
    if (this.#open > 0) return;
    screen.endTurn();
    screen.status({ speaking: undefined, busySince: undefined, saved: this.#savedState() });
  }

  interrupt(): boolean {
    if (this.#open === 0) return false;
    this.#abort.abort();
    // A message that was said during the turn may have begun another one, which knows no signal.
    this.#conversation?.cancel();
    return true;
  }

  close(): Promise<void> {
    return this.#chat.close();
  }

  async #showStart(): Promise<void> {
    const { context, opened, plan, here, stored, screen } = this.#options;
    const resumed = this.#conversation;
    if (stored && resumed && !this.#options.isShown) await showEarlier(context, opened.store, stored, screen);
    const facts = await describeStart(context, opened.store, plan, this.#chat, here, stored, resumed);
    for (const fact of facts) screen.say(fact, { paint: 'dim' });
    const interruption = resumed && (await describeInterruption(context, opened.store, resumed.id));
    if (interruption !== undefined) screen.say(interruption, { paint: 'yellow' });
    const name = this.#speaker.name;
    const title = plainLine(this.#title ?? '') || (stored && (await findName(opened.store, stored))) || '';
    screen.status({
      title,
      members: [{ id: name, name, paint: this.#speaker.paint }],
      speaking: undefined,
      busySince: undefined,
      tokens: 0,
      saved: resumed ? this.#savedState() : 'nothing',
    });
  }

  #follow(event: RuntimeEvent): void {
    const { screen } = this.#options;
    if (event.type === 'turn-start') this.#streamed = 0;
    if (event.type === 'text-delta') {
      this.#streamed += event.text.length;
      if (screen.view.status.saved === 'saved') screen.status({ saved: 'saving' });
    }
    if (event.type === 'text-saved' && event.characters >= this.#streamed) screen.status({ saved: this.#savedState() });
    if (event.type === 'turn-end') {
      this.#tokens += (event.usage.inputTokens ?? 0) + (event.usage.outputTokens ?? 0);
      screen.status({ tokens: this.#tokens });
    }
  }

  #savedState(): 'saved' | 'not-kept' | 'nothing' {
    if (!this.#conversation) return 'nothing';
    return this.#conversation.policy.kind === 'none' ? 'not-kept' : 'saved';
  }

  /** Messages that went into one turn fail with one error: it is told once. */
  #tell(error: unknown): void {
    if (error === this.#told) return;
    this.#told = error;
    const { context, screen } = this.#options;
    if (isContinuoError(error, 'cancelled'))
      screen.say(context.text.chat.stopped(this.#savedState() !== 'not-kept'), { paint: 'dim' });
    else tellFailure(context, screen, error);
  }
}
