// Leads the application without drawing it: keys come in, the view goes out, and in between stand the store, the conversation or the
// team that is talked to, the questions and the slash commands. Whatever is said is in the log before anything else happens with it.
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { FileSystemStorageService } from '../../snapshot/file-system-storage-service.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { TodoItem } from '../../team/routing/parse-todos.ts';
import type { Team } from '../../team/team-definition.ts';
import { formatQuestion } from '../chat/approval-question.ts';
import type { ChatPlan } from '../chat/chat-options.ts';
import { readTypedLine } from '../chat/slash-line.ts';
import type { Context } from '../context.ts';
import type { OpenHome } from '../open-home.ts';
import { firstLine, plainLine, plainText } from '../output/plain-text.ts';
import type { Here } from '../recall/here.ts';
import type { HomeRecall } from '../recall/open-home-recall.ts';
import type { CompletionSources } from './input/complete.ts';
import { type Editor, emptyEditor, fullText } from './input/editor.ts';
import { PromptInput } from './input/prompt-input.ts';
import { Questions } from './input/questions.ts';
import { loadSaid, TypedHistory } from './input/typed-history.ts';
import type { Key } from './keys/key-decoder.ts';
import { Picker } from './picker.ts';
import {
  type CurrentTalk,
  createTalkContext,
  type PublishedTodos,
  type Question,
  type ReplHost,
  type Tone,
} from './repl-host.ts';
import { completeSlash, findSlashCommand, runSlash } from './slash/slash-table.ts';
import { ConversationDriver } from './talk/conversation-driver.ts';
import { showOwnWords } from './talk/earlier.ts';
import { type TalkDriver, tellFailure } from './talk/talk-driver.ts';
import { TeamDriver } from './talk/team-driver.ts';
import type { Paint, TodoList } from './view/repl-view.ts';
import type { ScreenState } from './view/screen-state.ts';

/** A second Ctrl-C within this time leaves. */
const confirmTime = 3000;

export interface ReplOptions {
  context: Context;
  opened: OpenHome;
  here: Here;
  plan: ChatPlan;
  screen: ScreenState;
  /** The present width of the terminal. */
  columns: () => number;
  /** Clears the terminal and draws everything again. */
  redraw: () => void;
}

const paints: Readonly<Record<Exclude<Tone, 'plain'>, Paint>> = { note: 'dim', done: 'green', warning: 'yellow', error: 'red' };

export class ReplController implements ReplHost {
  readonly context: Context;
  readonly store: ConversationStore;
  /** Resolves when the application has come to its end and everything is saved. */
  readonly done: Promise<void>;
  readonly #options: ReplOptions;
  readonly #screen: ScreenState;
  readonly #history = new TypedHistory();
  readonly #prompt: PromptInput;
  readonly #questions: Questions;
  readonly #picker: Picker;
  #plan: ChatPlan;
  #driver: TalkDriver | undefined;
  /** What has to come to its end before the next words are said: a talk that is being opened. */
  #opening: Promise<void> = Promise.resolve();
  #started: Promise<void> = Promise.resolve();
  #hasTyped = false;
  #isApproving = false;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #todos: TodoList[] = [];
  #recall: Promise<HomeRecall> | undefined;
  #storage: Promise<FileSystemStorageService> | undefined;
  #leaving: Promise<void> | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #end: () => void = () => undefined;

  constructor(options: ReplOptions) {
    const { context, opened, here, screen } = options;
    this.#options = options;
    this.#screen = screen;
    this.#plan = options.plan;
    this.store = opened.store;
    this.context = createTalkContext(context, (lines, tone) => this.say(lines, tone), options.columns);
    this.done = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#questions = new Questions(
      () => screen.view.editor,
      (question, editor) => screen.show({ question, editor, offers: undefined }),
    );
    this.#prompt = new PromptInput({
      screen,
      history: this.#history,
      sources: () => this.#completionSources(),
      onSubmit: (editor) => this.#submit(editor),
    });
    const onChosen = (id: ConversationId | undefined) => void this.#run(() => (id ? this.openConversation(id) : this.startNew()));
    this.#picker = new Picker({ context: this.context, store: this.store, here, screen, onChosen });
  }

  /** Offers the conversations of the project, or begins a new one where there are none. */
  start(): Promise<void> {
    this.#ticker = setInterval(() => this.#tick(), 1000);
    loadSaid(this.store, this.#options.here.fields).then(
      (said) => this.#history.putEarlier(said),
      () => undefined,
    );
    this.#started = this.#offer();
    return this.#started;
  }

  press(key: Key): void {
    if (this.#leaving !== undefined) return;
    const { view } = this.#screen;
    if (view.notice !== undefined && key.name !== 'interrupt') this.#screen.change({ notice: undefined });
    if (key.name === 'redraw') this.#options.redraw();
    else if (key.name === 'interrupt') this.#pressInterrupt();
    else if (view.picker) this.#picker.press(key);
    else if (key.name === 'escape') this.#pressEscape();
    else if (key.name === 'end-of-input') this.#pressEndOfInput();
    else this.#prompt.press(key, { plain: this.#questions.isAsking });
  }

  /** Saves and lets go of everything, whatever is at work. Safe to call again. */
  close(): Promise<void> {
    this.#leaving ??= this.#close();
    return this.#leaving;
  }

  get keys(): readonly string[] {
    return this.context.text.repl.help;
  }

  get current(): CurrentTalk {
    const model = this.#plan.model ?? 'offline';
    return this.#driver?.current ?? { kind: 'conversation', id: undefined, title: undefined, isBusy: false, model };
  }

  here(): Promise<Here> {
    return Promise.resolve(this.#options.here);
  }

  recall(): Promise<HomeRecall> {
    const { opened, here } = this.#options;
    this.#recall ??= import('../recall/open-home-recall.ts').then(({ openHomeRecall }) =>
      openHomeRecall(this.context, opened, here),
    );
    return this.#recall;
  }

  storage(): Promise<FileSystemStorageService> {
    this.#storage ??= import('../team/open-storage.ts').then(({ openTeamStorage }) =>
      openTeamStorage(this.context, this.#options.opened),
    );
    return this.#storage;
  }

  say(lines: string | readonly string[], tone: Tone = 'plain'): void {
    const text = [lines].flat().join('\n');
    const paint = tone === 'plain' ? {} : { paint: paints[tone] };
    if (!text.includes('\x1b')) this.#screen.say(text, paint);
    else {
      const colour = tone === 'plain' ? (line: string) => line : this.context.style[paints[tone]];
      this.#screen.say(text.split('\n').map(colour).join('\n'), { isPainted: true });
    }
  }

  async ask({ lines, choices }: Question): Promise<string | undefined> {
    const byKey = (typed: string) => choices.find(({ key }) => key.toLowerCase() === typed.trim().toLowerCase());
    const keys = choices.map(({ key }) => key).join('/');
    const typed = await this.#questions.ask({
      prompt: this.context.text.repl.choose(keys),
      keys,
      accepts: (answer) => byKey(answer) !== undefined,
      onAsked: () => this.say([...lines, ...choices.map(({ key, label }) => `  [${key}] ${label}`)]),
    });
    return typed === undefined ? undefined : byKey(typed)?.key;
  }

  askText(prompt: string, initial = ''): Promise<string | undefined> {
    return this.#questions.ask({ prompt, initial });
  }

  async openConversation(id: ConversationId): Promise<void> {
    if (this.current.id === id && this.current.kind === 'conversation') return;
    const stored = await this.store.get(id);
    await this.#exchange(() => this.#openConversation({ stored }));
    if (stored.team !== undefined) this.say(this.context.text.repl.ofATeam(plainLine(stored.team)), 'note');
  }

  startNew({ title }: { title?: string } = {}): Promise<void> {
    return this.#exchange(() => this.#openConversation({ ...(title !== undefined && { title }) }));
  }

  deployTeam(team: Team, { file, resumeSessionId }: { file: string; resumeSessionId?: string }): Promise<void> {
    const { opened, here } = this.#options;
    const given = { context: this.#innerContext(), opened, here, screen: this.#screen, team, file };
    return this.#exchange(() =>
      TeamDriver.open({
        ...given,
        ...(resumeSessionId !== undefined && { resumeSessionId }),
        onTodos: (todos) => this.#publish(todos),
      }),
    );
  }

  async setModel(reference: string): Promise<void> {
    const { env } = this.context;
    const isOffline = reference === 'offline';
    // The address of the settings belongs to the provider of the settings.
    const isSameProvider = reference.split(':')[0] === this.#options.plan.model?.split(':')[0];
    const baseUrl = isSameProvider ? this.#options.plan.baseUrl : undefined;
    if (!isOffline) {
      const { createModel } = await import('../../providers/models/create-model.ts');
      await createModel(reference, { keys: env, ...(baseUrl !== undefined && { baseUrl }) });
    }
    const { id } = this.current;
    const stored = id === undefined ? undefined : await this.store.get(id);
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

  async compact() {
    return this.#conversation()?.compact();
  }

  async uncompact() {
    return this.#conversation()?.uncompact();
  }

  async listApprovals() {
    return this.#driver instanceof ConversationDriver ? this.#driver.session.approvals.list() : [];
  }

  async revokeApproval(id: string): Promise<void> {
    if (!(this.#driver instanceof ConversationDriver)) throw new ContinuoError('approval-not-found', { id });
    await this.#driver.session.approvals.revoke(id);
  }

  todos(): readonly PublishedTodos[] {
    return this.#todos;
  }

  publishTodo(items: readonly TodoItem[]): void {
    this.#publish({ by: this.context.text.repl.you, items });
  }

  interrupt(): boolean {
    return this.#driver?.interrupt() ?? false;
  }

  async leave({ quits }: { quits: boolean }): Promise<void> {
    if (quits) return this.close();
    const { current } = this;
    await this.startNew();
    if (current.kind === 'team') this.say(this.context.text.repl.teamLeft(plainLine(current.team.name)), 'note');
  }

  changed(): void {
    void this.#refreshTitle();
  }

  /** Who has begun to type wants to talk and not to choose. */
  async #offer(): Promise<void> {
    const isWanted = () => this.#prompt.editor.text === '' && !this.#hasTyped;
    if (!(await this.#picker.open(isWanted))) await this.#run(() => this.startNew());
  }

  #innerContext(): Context {
    // What a talk asks about its terminal is answered as for a terminal; what it writes goes into the talk.
    const { columns } = this.#options;
    const terminal = { stdin: true, stdout: true, stderr: false, columns: columns() };
    return { ...this.context, terminal };
  }

  #openConversation(given: { stored?: Awaited<ReturnType<ConversationStore['get']>>; title?: string; isShown?: boolean }) {
    const { opened, here } = this.#options;
    const ask = (question: ApprovalQuestion, input: Parameters<typeof formatQuestion>[2]) => this.#approve(question, input);
    return ConversationDriver.open({
      context: this.#innerContext(),
      opened,
      here,
      plan: this.#plan,
      screen: this.#screen,
      ask,
      ...given,
    });
  }

  /** Leaves what is open, saved, and opens something else; where that fails, what was open is opened again. */
  #exchange(open: () => Promise<TalkDriver>): Promise<void> {
    const before = this.#driver?.current;
    const work = async () => {
      await this.#driver?.close();
      this.#driver = undefined;
      this.#todos = [];
      this.#screen.begin();
      try {
        this.#driver = await open();
      } catch (error) {
        const stored = before?.id === undefined ? undefined : await this.store.find(before.id);
        if (before) this.#driver = await this.#openConversation({ ...(stored && { stored }), isShown: true });
        throw error;
      } finally {
        this.#screen.flush();
      }
    };
    const exchanged = this.#opening.then(work);
    this.#opening = exchanged.catch(() => undefined);
    return exchanged;
  }

  #conversation() {
    return this.#driver instanceof ConversationDriver ? this.#driver.conversation : undefined;
  }

  #submit(editor: Editor): void {
    const text = fullText(editor);
    if (this.#questions.isAsking) {
      const wanted = this.#questions.answer(text);
      if (wanted) this.#screen.show({ editor: emptyEditor, notice: this.context.text.repl.noAnswer(wanted.keys) });
      return;
    }
    if (text.trim() === '') return;
    this.#hasTyped = true;
    this.#history.add(text);
    this.#prompt.clear();
    const line = readTypedLine(text);
    if ('say' in line) void this.#say(line.say, editor);
    else void this.#runSlash(line);
  }

  async #say(text: string, { text: typed, pastes }: Editor): Promise<void> {
    const { repl } = this.context.text;
    const shown = [...typed].map((character) => {
      const pasted = pastes.get(character);
      return pasted === undefined ? character : repl.pasted(pasted.split('\n').length);
    });
    await this.#started;
    await this.#opening;
    showOwnWords(this.#screen, plainText(shown.join('')));
    if (this.#leaving !== undefined) return;
    // Nobody could be reached at the start, or since: it is tried again, and what was typed comes back where it fails.
    if (!this.#driver) await this.#run(() => this.startNew());
    if (!this.#driver) {
      if (this.#prompt.editor.text === '') this.#screen.show({ editor: { text: typed, cursor: typed.length, pastes } });
      return;
    }
    if (this.#screen.view.status.title === '') this.#screen.status({ title: firstLine(text).slice(0, 80) });
    await this.#driver.say(text);
  }

  async #runSlash(line: Parameters<typeof runSlash>[0]): Promise<void> {
    await this.#started;
    await this.#opening;
    this.#screen.say(`/${plainLine([line.command, ...line.words].join(' '))}`, { paint: 'dim', isApart: true });
    await this.#run(() => runSlash(line, this));
    await this.#refreshTitle();
  }

  /** What goes wrong is said in the talk. */
  async #run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      tellFailure(this.context, this.#screen, error);
    }
    this.#screen.flush();
  }

  async #refreshTitle(): Promise<void> {
    const { id, kind } = this.current;
    if (id === undefined || kind === 'team' || this.#leaving !== undefined) return;
    const title = (await this.store.find(id).catch(() => undefined))?.title;
    if (title !== undefined) this.#screen.status({ title: plainLine(title) });
  }

  async #approve(question: ApprovalQuestion, input: Parameters<typeof formatQuestion>[2]): Promise<ApprovalAnswer> {
    const asked = formatQuestion(this.context, question, input);
    const typed = await this.#questions.ask({
      prompt: asked.prompt.trim(),
      keys: asked.keys,
      accepts: (answer) => asked.read(answer) !== undefined,
      signal: question.signal,
      onAsked: () => {
        this.#isApproving = true;
        this.say(asked.lines);
      },
    });
    this.#isApproving = false;
    if (question.signal.aborted) throw question.signal.reason;
    return (typed === undefined ? undefined : asked.read(typed)) ?? { allow: false };
  }

  #pressEscape(): void {
    if (this.#prompt.closeOffers()) return;
    if (this.#questions.isAsking && !this.#isApproving) {
      this.#questions.turnAway();
      return;
    }
    if (this.interrupt()) this.#screen.show({ notice: this.context.text.repl.stopping });
  }

  #pressInterrupt(): void {
    if (this.#screen.view.picker) {
      void this.close();
      return;
    }
    const now = this.context.now();
    if (now - this.#warnedAt < confirmTime) {
      void this.close();
      return;
    }
    this.#warnedAt = now;
    if (this.#questions.isAsking && !this.#isApproving) this.#questions.turnAway();
    else if (!this.#questions.isAsking) this.#prompt.clear();
    this.#screen.show({ notice: this.context.text.repl.confirmLeaving });
  }

  #pressEndOfInput(): void {
    if (this.#prompt.editor.text !== '') this.#prompt.press({ name: 'delete' }, { plain: true });
    else void this.close();
  }

  #completionSources(): CompletionSources {
    const { slash } = this.context.text;
    return {
      slash: (line) => completeSlash(line, this),
      describe: (command) => {
        const known = findSlashCommand(command.slice(1));
        return known ? slash[known.name].summary : '';
      },
      members: this.#driver?.members ?? [],
    };
  }

  #publish(todos: TodoList): void {
    const others = this.#todos.filter(({ by }) => by !== todos.by);
    this.#todos = todos.items.length === 0 ? others : [todos, ...others];
    this.#screen.change({ todos: this.#todos });
  }

  #tick(): void {
    const { busySince, notice } = { ...this.#screen.view.status, notice: this.#screen.view.notice };
    const isStale = notice === this.context.text.repl.confirmLeaving && this.context.now() - this.#warnedAt >= confirmTime;
    const isStopped = notice === this.context.text.repl.stopping && busySince === undefined;
    if (isStale || isStopped) this.#screen.show({ notice: undefined });
    else if (busySince !== undefined) this.#screen.flush();
  }

  async #close(): Promise<void> {
    clearInterval(this.#ticker);
    this.#screen.show({ notice: this.context.text.repl.leaving, question: undefined, offers: undefined, picker: undefined });
    this.#questions.close();
    try {
      await this.#opening;
      await this.#driver?.close();
      await (await this.#recall?.catch(() => undefined))?.close();
    } catch (error) {
      if (!isContinuoError(error)) throw error;
      tellFailure(this.context, this.#screen, error);
    } finally {
      this.#screen.endTurn();
      this.#screen.show({ isOver: true, live: undefined });
      this.#end();
    }
  }
}
