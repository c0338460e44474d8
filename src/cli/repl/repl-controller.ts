// Leads the application without drawing it: keys come in, the view goes out, and in between stand the store, the conversation or the
// team that is talked to, the questions and the slash commands. Whatever is said is in the log before anything else happens with it.
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { FileSystemStorageService } from '../../snapshot/file-system-storage-service.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { TodoItem } from '../../team/routing/parse-todos.ts';
import type { Team } from '../../team/team-definition.ts';
import type { ChatPlan } from '../chat/chat-options.ts';
import { readTypedLine } from '../chat/slash-line.ts';
import type { Context } from '../context.ts';
import type { OpenHome } from '../open-home.ts';
import { firstLine, plainLine, plainText } from '../output/plain-text.ts';
import type { Here } from '../recall/here.ts';
import type { HomeRecall } from '../recall/open-home-recall.ts';
import { AskPerson } from './input/ask-person.ts';
import type { CompletionSources } from './input/complete.ts';
import { type Editor, fullText } from './input/editor.ts';
import { PromptInput } from './input/prompt-input.ts';
import { loadSaid, TypedHistory } from './input/typed-history.ts';
import type { Key } from './keys/key-decoder.ts';
import { KeyMeanings } from './keys/key-meanings.ts';
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
import { showOwnWords } from './talk/earlier.ts';
import { OpenTalk } from './talk/open-talk.ts';
import { tellFailure } from './talk/talk-driver.ts';
import { putTodos } from './todo-lists.ts';
import type { Paint, TodoList } from './view/repl-view.ts';
import type { ScreenState } from './view/screen-state.ts';

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
  readonly #asking: AskPerson;
  readonly #talk: OpenTalk;
  readonly #picker: Picker;
  readonly #keys: KeyMeanings;
  #started: Promise<void> = Promise.resolve();
  #hasTyped = false;
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
    this.store = opened.store;
    this.context = createTalkContext(context, (lines, tone) => this.say(lines, tone), options.columns);
    this.done = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#asking = new AskPerson(this.context, screen, (lines) => this.say(lines));
    this.#talk = new OpenTalk({
      context: () => this.#innerContext(),
      opened,
      here,
      plan: options.plan,
      screen,
      approve: (question, input) => this.#asking.approve(question, input),
      onTodos: (todos) => this.#publish(todos),
      onClosed: () => {
        this.#todos = [];
      },
    });
    this.#prompt = new PromptInput({
      screen,
      history: this.#history,
      sources: () => this.#completionSources(),
      onSubmit: (editor) => this.#submit(editor),
    });
    const onChosen = (id: ConversationId | undefined) => void this.#choose(id);
    this.#picker = new Picker({ context: this.context, store: this.store, here, screen, onChosen });
    this.#keys = new KeyMeanings({
      context: this.context,
      screen,
      prompt: this.#prompt,
      asking: this.#asking,
      picker: this.#picker,
      interrupt: () => this.interrupt(),
      leave: () => void this.close(),
      redraw: options.redraw,
    });
  }

  /** Offers the conversations of the project, or begins a new one where there are none. */
  start(): Promise<void> {
    this.#ticker = setInterval(() => this.#keys.tick(), 1000);
    loadSaid(this.store, this.#options.here.fields).then(
      (said) => this.#history.putEarlier(said),
      () => undefined,
    );
    this.#started = this.#offer();
    return this.#started;
  }

  press(key: Key): void {
    if (this.#leaving !== undefined) return;
    this.#keys.press(key);
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
    return this.#talk.current;
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

  ask(question: Question): Promise<string | undefined> {
    return this.#asking.ask(question);
  }

  askText(prompt: string, initial = ''): Promise<string | undefined> {
    return this.#asking.askText(prompt, initial);
  }

  async openConversation(id: ConversationId): Promise<void> {
    if (this.current.id === id && this.current.kind === 'conversation') return;
    try {
      const team = await this.#talk.openConversation(id);
      if (team !== undefined) this.say(this.context.text.repl.ofATeam(plainLine(team)), 'note');
    } catch (error) {
      if (!isContinuoError(error, 'conversation-locked')) throw error;
      await this.#askAboutHeld(id, error);
    }
  }

  startNew(options: { title?: string } = {}): Promise<void> {
    return this.#talk.startNew(options);
  }

  deployTeam(team: Team, options: { file: string; resumeSessionId?: string }): Promise<void> {
    return this.#talk.deployTeam(team, options);
  }

  setModel(reference: string): Promise<void> {
    return this.#talk.setModel(reference);
  }

  knownModels(): readonly string[] {
    return this.#talk.knownModels();
  }

  async compact() {
    return this.#talk.conversation?.conversation?.compact();
  }

  async uncompact() {
    return this.#talk.conversation?.conversation?.uncompact();
  }

  async listApprovals() {
    return this.#talk.conversation?.session.approvals.list() ?? [];
  }

  async revokeApproval(id: string): Promise<void> {
    const { conversation } = this.#talk;
    if (!conversation) throw new ContinuoError('approval-not-found', { id });
    await conversation.session.approvals.revoke(id);
  }

  todos(): readonly PublishedTodos[] {
    return this.#todos;
  }

  publishTodo(items: readonly TodoItem[]): void {
    this.#publish({ by: this.context.text.repl.you, items });
  }

  interrupt(): boolean {
    return this.#talk.driver?.interrupt() ?? false;
  }

  async settled(): Promise<void> {
    await this.#talk.conversation?.settled();
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

  /** Where one cannot be gone on with, the list comes back: nothing begins unasked. */
  async #choose(id: ConversationId | undefined): Promise<void> {
    await this.#run(() => (id ? this.openConversation(id) : this.startNew()));
    if (id !== undefined && !this.#talk.driver && this.#leaving === undefined) await this.#run(() => this.#offer());
  }

  /** Somebody else writes the conversation. Whoever turns away stays where they were. */
  async #askAboutHeld(id: ConversationId, { details }: ContinuoError): Promise<void> {
    const { held, heldChoices } = this.context.text.repl;
    const answer = await this.ask({
      lines: [held(plainLine(String(details.pid)), plainLine(String(details.host)))],
      choices: [
        { key: 'f', label: heldChoices.fork },
        { key: 't', label: heldChoices.again },
      ],
    });
    if (answer === 't') await this.openConversation(id);
    if (answer === 'f') await this.openConversation((await this.store.fork(id)).id);
  }

  #innerContext(): Context {
    // What a talk asks about its terminal is answered as for a terminal; what it writes goes into the talk.
    const { columns } = this.#options;
    const terminal = { stdin: true, stdout: true, stderr: false, columns: columns() };
    return { ...this.context, terminal };
  }

  #submit(editor: Editor): void {
    const text = fullText(editor);
    if (this.#asking.isAsking) {
      this.#asking.answer(text);
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
    await this.#talk.opened;
    showOwnWords(this.#screen, plainText(shown.join('')));
    if (this.#leaving !== undefined) return;
    // Nobody could be reached at the start, or since: it is tried again, and what was typed comes back where it fails.
    if (!this.#talk.driver) await this.#run(() => this.startNew());
    if (!this.#talk.driver) {
      if (this.#prompt.editor.text === '') this.#screen.show({ editor: { text: typed, cursor: typed.length, pastes } });
      return;
    }
    if (this.#screen.view.status.title === '') this.#screen.status({ title: firstLine(text).slice(0, 80) });
    await this.#talk.driver.say(text);
  }

  async #runSlash(line: Parameters<typeof runSlash>[0]): Promise<void> {
    await this.#started;
    await this.#talk.opened;
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

  #completionSources(): CompletionSources {
    const { slash } = this.context.text;
    return {
      slash: (line) => completeSlash(line, this),
      describe: (command) => {
        const known = findSlashCommand(command.slice(1));
        return known ? slash[known.name].summary : '';
      },
      members: this.#talk.driver?.members ?? [],
    };
  }

  #publish(todos: TodoList): void {
    this.#todos = putTodos(this.#todos, todos);
    this.#screen.change({ todos: this.#todos });
  }

  async #close(): Promise<void> {
    clearInterval(this.#ticker);
    this.#screen.show({ notice: this.context.text.repl.leaving, question: undefined, offers: undefined, picker: undefined });
    this.#asking.close();
    try {
      await this.#talk.close();
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
