// The one talk that is open: a conversation or a team. Another takes its place when that one is saved and closed; where the other cannot
// be had, the one before is opened again. What is said waits for it.
import type { ConversationId } from '../../../model/id.ts';
import type { ConversationStore } from '../../../store/conversation-store.ts';
import type { Team } from '../../../team/team-definition.ts';
import type { ChatPlan } from '../../chat/chat-options.ts';
import type { Context } from '../../context.ts';
import type { OpenHome } from '../../open-home.ts';
import type { Here } from '../../recall/here.ts';
import type { CurrentTalk } from '../repl-host.ts';
import type { TodoList } from '../view/repl-view.ts';
import type { ScreenState } from '../view/screen-state.ts';
import { ConversationDriver, type ConversationDriverOptions } from './conversation-driver.ts';
import type { TalkDriver } from './talk-driver.ts';
import { TeamDriver } from './team-driver.ts';

export interface OpenTalkOptions {
  /** What a talk asks about its terminal is answered as for a terminal; what it writes goes into the talk. */
  context: () => Context;
  opened: OpenHome;
  here: Here;
  plan: ChatPlan;
  screen: ScreenState;
  approve: ConversationDriverOptions['ask'];
  onTodos: (todos: TodoList) => void;
  /** The talk that was open is closed. */
  onClosed: () => void;
}

export class OpenTalk {
  readonly #options: OpenTalkOptions;
  readonly #store: ConversationStore;
  #plan: ChatPlan;
  #driver: TalkDriver | undefined;
  /** What has to come to its end before the next words are said. */
  #opening: Promise<void> = Promise.resolve();

  constructor(options: OpenTalkOptions) {
    this.#options = options;
    this.#store = options.opened.store;
    this.#plan = options.plan;
  }

  get driver(): TalkDriver | undefined {
    return this.#driver;
  }

  get current(): CurrentTalk {
    const model = this.#plan.model ?? 'offline';
    return this.#driver?.current ?? { kind: 'conversation', id: undefined, title: undefined, isBusy: false, model };
  }

  /** Undefined where a team is talked to, or nothing is open. */
  get conversation(): ConversationDriver | undefined {
    return this.#driver instanceof ConversationDriver ? this.#driver : undefined;
  }

  /** Nothing is being opened any more. */
  get opened(): Promise<void> {
    return this.#opening;
  }

  /** The team whose conversation it is, where it is one's. */
  async openConversation(id: ConversationId): Promise<string | undefined> {
    const stored = await this.#store.get(id);
    await this.#exchange(() => this.#openConversation({ stored }));
    return stored.team;
  }

  startNew({ title }: { title?: string } = {}): Promise<void> {
    return this.#exchange(() => this.#openConversation({ ...(title !== undefined && { title }) }));
  }

  deployTeam(team: Team, { file, resumeSessionId }: { file: string; resumeSessionId?: string }): Promise<void> {
    const { context, opened, here, screen, onTodos } = this.#options;
    const given = { opened, here, screen, team, file, onTodos, ...(resumeSessionId !== undefined && { resumeSessionId }) };
    return this.#exchange(() => TeamDriver.open({ ...given, context: context() }));
  }

  async setModel(reference: string): Promise<void> {
    const { plan } = this.#options;
    const { env } = this.#options.context();
    const isOffline = reference === 'offline';
    // The address of the settings belongs to the provider of the settings.
    const isSameProvider = reference.split(':')[0] === plan.model?.split(':')[0];
    const baseUrl = isSameProvider ? plan.baseUrl : undefined;
    if (!isOffline) {
      const { createModel } = await import('../../../providers/models/create-model.ts');
      await createModel(reference, { keys: env, ...(baseUrl !== undefined && { baseUrl }) });
    }
    const { id } = this.current;
    const stored = id === undefined ? undefined : await this.#store.get(id);
    const before = this.#plan;
    this.#plan = { ...before, model: isOffline ? undefined : reference, baseUrl };
    try {
      await this.#exchange(() => this.#openConversation({ ...(stored && { stored }), isShown: true }));
    } catch (error) {
      this.#plan = before;
      throw error;
    }
  }

  knownModels(): readonly string[] {
    const known = [this.#plan.model, this.#options.plan.model, 'offline'];
    return [...new Set(known.filter((model) => model !== undefined))];
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#driver?.close();
  }

  #openConversation(given: Pick<ConversationDriverOptions, 'stored' | 'title' | 'isShown'>): Promise<ConversationDriver> {
    const { context, opened, here, screen, approve } = this.#options;
    return ConversationDriver.open({ context: context(), opened, here, plan: this.#plan, screen, ask: approve, ...given });
  }

  #exchange(open: () => Promise<TalkDriver>): Promise<void> {
    const { screen, onClosed } = this.#options;
    const before = this.#driver?.current;
    const work = async () => {
      await this.#driver?.close();
      this.#driver = undefined;
      onClosed();
      screen.begin();
      try {
        this.#driver = await open();
      } catch (error) {
        const stored = before?.id === undefined ? undefined : await this.#store.find(before.id);
        if (before) this.#driver = await this.#openConversation({ ...(stored && { stored }), isShown: true });
        throw error;
      } finally {
        if (!this.#driver) screen.status({ saved: 'nothing' });
        screen.flush();
      }
    };
    const exchanged = this.#opening.then(work);
    this.#opening = exchanged.catch(() => undefined);
    return exchanged;
  }
}
