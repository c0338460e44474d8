// A team at a terminal, line by line: what is typed is said to the team, what members say comes as it is said. Ctrl-C stops who
// speaks, and leaves where nobody does; leaving saves.
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import { SpokenText } from '../../team/routing/spoken-text.ts';
import type { Team } from '../../team/team-definition.ts';
import type { TeamEvent } from '../../team/team-event.ts';
import { runLineCommand } from '../chat/line-host.ts';
import { LineTalk } from '../chat/line-talk.ts';
import { hintLocked } from '../chat/locked.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { plainText } from '../output/plain-text.ts';
import type { PublishedTodos, TeamTalk as TeamTalkView } from '../repl/repl-host.ts';
import { putTodos } from '../repl/todo-lists.ts';
import { chooseSession } from './choose-session.ts';
import type { DeployPlan } from './deploy-options.ts';
import { type OpenTeam, openTeam } from './open-team.ts';
import { type SeatedTalk, TeamLineHost } from './team-line-host.ts';
import { describeLeft, describeTeamEvent, describeTeamStart, nameOf, viewTeamTalk } from './team-view.ts';

export async function runTeamTerminal(
  context: Context,
  given: Team,
  plan: DeployPlan,
  file: string,
): Promise<number | undefined> {
  const opened = await openTeam(context, given, plan);
  const { coordinator, team, store } = opened;
  const { output, style, text } = context;
  try {
    const { resumeSessionId } = await chooseSession(context, opened, plan.wanted);
    const warnings: TeamEvent[] = [];
    const stop = coordinator.listen((event) => warnings.push(event));
    const options = resumeSessionId === undefined ? {} : { resumeSessionId };
    await hintLocked(context, store, () => coordinator.setTeam(team, options));
    stop();
    const messages = coordinator.context?.messages.length ?? 0;
    output.line(style.dim(describeTeamStart(context, team, messages)), style.dim(text.team.keys));
    for (const event of warnings) {
      const note = describeTeamEvent(context, team, event);
      if (note) output.line(note.isWarning ? style.yellow(note.text) : style.dim(note.text));
    }
    await new TeamTalk(context, opened, file).run();
    const { conversationId } = coordinator;
    await coordinator.stop();
    output.line(style.dim(conversationId === undefined ? text.chat.nothingSaid : describeLeft(context, coordinator)));
  } finally {
    await opened.close();
  }
  return undefined;
}

class TeamTalk implements SeatedTalk {
  todos: PublishedTodos[] = [];
  title: string | undefined;
  readonly lines: LineTalk;
  readonly #context: Context;
  readonly #opened: OpenTeam;
  readonly #host: TeamLineHost;
  readonly #spoken = new SpokenText();
  #team: Team;
  #file: string;
  /** Whose words are being shown. */
  #shown: string | undefined;
  #speaking: string | undefined;
  #isSaved = true;

  constructor(context: Context, opened: OpenTeam, file: string) {
    this.#context = context;
    this.#opened = opened;
    this.#team = opened.team;
    this.#file = file;
    this.#host = new TeamLineHost(context, opened, this);
    this.lines = new LineTalk({
      context,
      say: (text) => this.#say(text),
      runCommand: (typed) => runLineCommand(typed, this.#host),
      stop: () => void opened.coordinator.cancel(),
      onEnd: () => void opened.coordinator.cancel(),
      tellFailure: (error) => this.#report(error),
    });
    context.cleanups.add(async () => this.lines.end());
  }

  get current(): TeamTalkView {
    const now = { isBusy: this.lines.isBusy, file: this.#file, speaking: this.#speaking, isSaved: this.#isSaved };
    return viewTeamTalk(this.#opened.coordinator, this.#team, now);
  }

  seat(team: Team, file: string): void {
    this.#team = team;
    this.#file = file;
    this.todos = [];
    this.title = undefined;
  }

  async run(): Promise<void> {
    const stop = this.#opened.coordinator.listen((event) => this.#show(event));
    try {
      await this.lines.run();
    } finally {
      stop();
      this.lines.end();
      await this.lines.commandsEnded();
      await this.#host.close();
    }
  }

  async #say(text: string): Promise<void> {
    const { coordinator, store } = this.#opened;
    try {
      await coordinator.sendMessage(text);
      const { title } = this;
      this.title = undefined;
      const { id } = this.current;
      if (title !== undefined && id !== undefined) await store.rename(id, title);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    const known = isContinuoError(error) ? error : new ContinuoError('internal', { reason: String(error) });
    const { style, text } = this.#context;
    this.lines.tell([`${style.red(text.errorHeading)}${plainText(describeError(known, text))}`]);
  }

  #show(event: TeamEvent): void {
    const { style } = this.#context;
    if (event.type === 'text-delta') {
      this.#speak(event.member, this.#spoken.push(event.text));
      return;
    }
    if (event.type === 'member-started') this.#speaking = event.member;
    if (event.type === 'member-ended' || event.type === 'member-failed') {
      this.#speak(event.member, this.#spoken.end());
      if (this.#shown !== undefined) this.lines.tell(['']);
      this.#shown = undefined;
      this.#speaking = undefined;
    }
    if (event.type === 'message') this.#isSaved = false;
    if (event.type === 'saved') this.#isSaved = event.messages >= this.current.messages;
    if (event.type === 'todo') this.todos = putTodos(this.todos, { by: nameOf(this.#team, event.member), items: event.todos });
    const note = describeTeamEvent(this.#context, this.#team, event);
    if (note) this.lines.tell([note.isWarning ? style.yellow(note.text) : style.dim(note.text)]);
  }

  #speak(member: string, text: string): void {
    if (text === '') return;
    if (this.#shown !== member) this.lines.tell([this.#context.style.bold(`${nameOf(this.#team, member)}:`)]);
    this.#shown = member;
    this.lines.input.write(plainText(text));
  }
}
