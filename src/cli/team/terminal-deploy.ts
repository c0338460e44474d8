// A team at a terminal, line by line: what is typed is said to the team, what members say comes as it is said. Ctrl-C stops who
// speaks, and leaves where nobody does; leaving saves.
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import { SpokenText } from '../../team/routing/spoken-text.ts';
import type { Team } from '../../team/team-definition.ts';
import type { TeamEvent } from '../../team/team-event.ts';
import { LineInput } from '../chat/line-input.ts';
import { hintLocked } from '../chat/locked.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { chooseSession } from './choose-session.ts';
import type { DeployPlan } from './deploy-options.ts';
import { type OpenTeam, openTeam } from './open-team.ts';
import { describeTeamEvent, nameOf } from './team-view.ts';

export async function runTeamTerminal(context: Context, given: Team, plan: DeployPlan): Promise<number | undefined> {
  const opened = await openTeam(context, given, plan);
  const { coordinator, team, store } = opened;
  const { output, style, text } = context;
  try {
    const { resumeSessionId } = await chooseSession(context, opened, plan.wanted);
    const warnings: TeamEvent[] = [];
    const stop = coordinator.listen((event) => warnings.push(event));
    const options = resumeSessionId === undefined ? {} : { resumeSessionId };
    const { sessionId } = await hintLocked(context, store, () => coordinator.setTeam(team, options));
    stop();
    output.line(style.dim(describeStart(context, opened)), style.dim(text.team.keys));
    for (const event of warnings) {
      const note = describeTeamEvent(context, team, event);
      if (note) output.line(note.isWarning ? style.yellow(note.text) : style.dim(note.text));
    }
    await new TeamTalk(context, opened).run();
    await coordinator.stop();
    const hasSpoken = coordinator.conversationId !== undefined;
    output.line(style.dim(hasSpoken ? text.team.left(sessionId) : text.chat.nothingSaid));
  } finally {
    await opened.close();
  }
  return undefined;
}

function describeStart({ text }: Context, { team, coordinator }: OpenTeam): string {
  const names = team.members.map(({ displayName, role }) =>
    plainLine(role === undefined ? displayName : `${displayName} (${role})`),
  );
  const count = coordinator.context?.messages.length ?? 0;
  return text.team.start(plainLine(team.name), names.join(text.team.between), count);
}

class TeamTalk {
  readonly #context: Context;
  readonly #opened: OpenTeam;
  readonly #input: LineInput;
  readonly #left: Promise<void>;
  #leave: () => void = () => undefined;
  #open = 0;
  #isOver = false;
  #speaking: string | undefined;
  readonly #spoken = new SpokenText();

  constructor(context: Context, opened: OpenTeam) {
    this.#context = context;
    this.#opened = opened;
    this.#left = new Promise((resolve) => {
      this.#leave = resolve;
    });
    const { style } = context;
    this.#input = new LineInput({
      input: process.stdin,
      output: process.stdout,
      prompt: `${style.cyan('>')} `,
      continued: `${style.dim('…')} `,
      onMessage: (text) => this.#take(text),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.#end(),
    });
    context.cleanups.add(async () => this.#input.close());
  }

  async run(): Promise<void> {
    const stop = this.#opened.coordinator.listen((event) => this.#show(event));
    this.#input.setBusy(false);
    try {
      await this.#left;
    } finally {
      stop();
      this.#input.close();
    }
  }

  #take(text: string): void {
    const [, command] = /^\/(\p{L}+)\s*$/u.exec(text) ?? [];
    if (command === undefined) {
      void this.#say(text.startsWith('//') ? text.slice(1) : text);
      return;
    }
    if (['end', 'stop', 'quit', 'exit'].includes(command)) this.#end();
    else this.#tell(command === 'help' ? this.#context.text.team.help : [this.#context.text.team.noSuchCommand(plainLine(text))]);
  }

  async #say(text: string): Promise<void> {
    this.#open += 1;
    this.#input.setBusy(true);
    try {
      await this.#opened.coordinator.sendMessage(text);
    } catch (error) {
      const known = isContinuoError(error) ? error : new ContinuoError('internal', { reason: String(error) });
      const { style, text: words } = this.#context;
      this.#input.line(`${style.red(words.errorHeading)}${plainText(describeError(known, words))}`);
    }
    this.#open -= 1;
    if (this.#open > 0) return;
    if (this.#isOver) this.#leave();
    else this.#input.setBusy(false);
  }

  #show(event: TeamEvent): void {
    const { style } = this.#context;
    const { team } = this.#opened;
    if (event.type === 'text-delta') {
      this.#speak(event.member, this.#spoken.push(event.text));
      return;
    }
    if (event.type === 'member-ended' || event.type === 'member-failed') {
      this.#speak(event.member, this.#spoken.end());
      if (this.#speaking !== undefined) this.#input.line('');
      this.#speaking = undefined;
    }
    const note = describeTeamEvent(this.#context, team, event);
    if (note) this.#input.line(note.isWarning ? style.yellow(note.text) : style.dim(note.text));
  }

  #speak(member: string, text: string): void {
    if (text === '') return;
    if (this.#speaking !== member) this.#input.line(this.#context.style.bold(`${nameOf(this.#opened.team, member)}:`));
    this.#speaking = member;
    this.#input.write(plainText(text));
  }

  #tell(lines: readonly string[]): void {
    for (const line of lines) this.#input.line(this.#context.style.dim(line));
    this.#input.setBusy(this.#open > 0);
  }

  #interrupt(): void {
    if (!this.#opened.coordinator.cancel()) this.#leave();
  }

  #end(): void {
    this.#isOver = true;
    if (this.#open === 0) this.#leave();
    else this.#opened.coordinator.cancel();
  }
}
