// A team as the application leads it: what is typed is said to the team, members speak one after another in colours of their own, and
// whoever hangs or fails is told of while the others go on.

import { isContinuoError } from '../../../model/error.ts';
import { SpokenText } from '../../../team/routing/spoken-text.ts';
import type { Team } from '../../../team/team-definition.ts';
import type { TeamEvent } from '../../../team/team-event.ts';
import type { Context } from '../../context.ts';
import { tellInstead } from '../../next-step.ts';
import type { OpenHome } from '../../open-home.ts';
import { plainLine, plainText } from '../../output/plain-text.ts';
import type { Here } from '../../recall/here.ts';
import { readDeployPlan } from '../../team/deploy-options.ts';
import { type OpenTeam, openTeam } from '../../team/open-team.ts';
import { describeTeamEvent, describeTeamStart, nameOf, viewTeamTalk } from '../../team/team-view.ts';
import type { TeamTalk } from '../repl-host.ts';
import { type MemberView, memberPaints, type Paint, type TodoList } from '../view/repl-view.ts';
import type { ScreenState, SpokenBy } from '../view/screen-state.ts';
import { describeRouting, shorten, showOwnWords } from './earlier.ts';
import { type TalkDriver, tellFailure } from './talk-driver.ts';

const mostShown = 30;

export interface TeamDriverOptions {
  context: Context;
  opened: OpenHome;
  here: Here;
  screen: ScreenState;
  team: Team;
  file: string;
  resumeSessionId?: string;
  /** Lists that members publish, newest first. */
  onTodos: (todos: TodoList) => void;
}

export class TeamDriver implements TalkDriver {
  readonly #options: TeamDriverOptions;
  readonly #team: OpenTeam;
  readonly members: readonly MemberView[];
  #open = 0;
  #speaking: string | undefined;
  #isSaved = true;
  #tokens = 0;
  readonly #spoken = new SpokenText();
  #stopListening: () => void = () => undefined;

  private constructor(options: TeamDriverOptions, team: OpenTeam) {
    this.#options = options;
    this.#team = team;
    const speakers = team.team.members.filter(({ kind }) => kind !== 'human');
    this.members = speakers.map(({ id, displayName }, place) => ({
      id,
      name: plainLine(displayName),
      paint: memberPaints[place % memberPaints.length] as Paint,
    }));
  }

  static async open(options: TeamDriverOptions): Promise<TeamDriver> {
    const { context, opened, here, resumeSessionId, screen } = options;
    const plan = readDeployPlan(context, { ...(resumeSessionId === undefined ? { new: true } : { resume: resumeSessionId }) });
    const team = await openTeam(context, options.team, plan, { opened, here }, (line) => screen.say(line, { paint: 'dim' }));
    const driver = new TeamDriver(options, team);
    try {
      const events: TeamEvent[] = [];
      const stop = team.coordinator.listen((event) => events.push(event));
      const given = resumeSessionId === undefined ? {} : { resumeSessionId };
      await tellHeld(context, () => team.coordinator.setTeam(team.team, given));
      stop();
      driver.#showStart();
      for (const event of events) driver.#note(event);
      driver.#stopListening = team.coordinator.listen((event) => driver.#follow(event));
    } catch (error) {
      await team.close();
      throw error;
    }
    screen.flush();
    return driver;
  }

  get current(): TeamTalk {
    const { coordinator, team } = this.#team;
    const now = { isBusy: this.#open > 0, file: this.#options.file, speaking: this.#speaking, isSaved: this.#isSaved };
    return viewTeamTalk(coordinator, team, now);
  }

  async say(text: string): Promise<void> {
    const { context, screen } = this.#options;
    this.#open += 1;
    this.#isSaved = false;
    screen.status({ saved: 'saving', busySince: screen.view.status.busySince ?? context.now() });
    try {
      await this.#team.coordinator.sendMessage(text);
    } catch (error) {
      tellFailure(context, screen, error);
    }
    this.#open -= 1;
    if (this.#open > 0) return;
    screen.endTurn();
    screen.status({ speaking: undefined, busySince: undefined });
  }

  interrupt(): boolean {
    return this.#team.coordinator.cancel();
  }

  async close(): Promise<void> {
    await this.#team.close();
    this.#stopListening();
  }

  #showStart(): void {
    const { context, screen } = this.#options;
    const { team, coordinator } = this.#team;
    const messages = coordinator.context?.messages ?? [];
    if (messages.length > mostShown) screen.say(context.text.repl.earlier(messages.length - mostShown), { paint: 'dim' });
    for (const { speaker, content, routing, interrupted } of messages.slice(-mostShown)) {
      const said = shorten(context, plainText(content)) || describeRouting(routing, (id) => nameOf(team, id));
      if (speaker.type === 'human') showOwnWords(screen, said);
      else {
        const name = plainLine(speaker.displayName ?? speaker.name);
        screen.head({ name, paint: this.#paintOf(speaker.id) });
        screen.say(said);
      }
      if (interrupted) screen.say(context.text.transcript.interrupted, { paint: 'dim' });
    }
    screen.say(describeTeamStart(context, team, messages.length), { paint: 'dim' });
    screen.status({
      title: plainLine(team.name),
      members: this.members,
      speaking: undefined,
      busySince: undefined,
      tokens: 0,
      saved: messages.length > 0 ? 'saved' : 'nothing',
    });
  }

  #follow(event: TeamEvent): void {
    const { screen, context } = this.#options;
    if (event.type === 'member-started') {
      this.#speaking = event.member;
      screen.status({ speaking: nameOf(this.#team.team, event.member), busySince: context.now() });
    }
    if (event.type === 'text-delta') screen.speak(this.#spokenBy(event.member), plainText(this.#spoken.push(event.text)));
    if (event.type === 'activity')
      screen.say(`→ ${plainLine(`${event.tool} ${event.detail ?? ''}`)}`.trimEnd().slice(0, 160), { paint: 'dim' });
    if (event.type === 'member-ended' || event.type === 'member-failed') {
      this.#speaking = undefined;
      screen.speak(this.#spokenBy(event.member), plainText(this.#spoken.end()));
      screen.endTurn();
    }
    if (event.type === 'member-ended') {
      this.#tokens += (event.usage.inputTokens ?? 0) + (event.usage.outputTokens ?? 0);
      screen.status({ tokens: this.#tokens });
    }
    if (event.type === 'todo') {
      this.#options.onTodos({ by: nameOf(this.#team.team, event.member), items: event.todos });
      return;
    }
    if (event.type === 'saved') this.#setSaved(event.messages >= (this.#team.coordinator.context?.messages.length ?? 0));
    if (event.type === 'message') this.#setSaved(false);
    this.#note(event);
  }

  #note(event: TeamEvent): void {
    const note = describeTeamEvent(this.#options.context, this.#team.team, event);
    if (note) this.#options.screen.say(note.text, { paint: note.isWarning ? 'yellow' : 'dim' });
  }

  #setSaved(isSaved: boolean): void {
    this.#isSaved = isSaved;
    this.#options.screen.status({ saved: isSaved ? 'saved' : 'saving' });
  }

  #spokenBy(id: string): SpokenBy {
    return { name: nameOf(this.#team.team, id), paint: this.#paintOf(id) };
  }

  #paintOf(id: string): Paint {
    return this.members.find((member) => member.id === id)?.paint ?? 'blue';
  }
}

/** A team cannot go on in a fork: who has the session open is told, and what else can be done here. */
async function tellHeld<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isContinuoError(error, 'conversation-locked')) throw error;
    const { pid, host } = error.details;
    throw tellInstead(error, context.text.repl.teamHeld(plainLine(String(pid)), plainLine(String(host))));
  }
}
