// A team in lines as the slash commands see it. Another session, and another team, take the place of the seated one; conversations
// with a model are left to `continuo chat`.
import type { ConversationId } from '../../model/id.ts';
import type { TodoItem } from '../../team/routing/parse-todos.ts';
import type { Team } from '../../team/team-definition.ts';
import { LineHost } from '../chat/line-host.ts';
import type { LineTalk } from '../chat/line-talk.ts';
import { hintLocked } from '../chat/locked.ts';
import type { Context } from '../context.ts';
import { shortenId } from '../output/short-ids.ts';
import type { HomeRecall } from '../recall/open-home-recall.ts';
import type { PublishedTodos, ReplHost, TeamTalk } from '../repl/repl-host.ts';
import { putTodos } from '../repl/todo-lists.ts';
import type { OpenTeam } from './open-team.ts';
import { describeLeft, describeTeamStart } from './team-view.ts';

/** The talk, as far as the commands change it. */
export interface SeatedTalk {
  readonly lines: LineTalk;
  readonly current: TeamTalk;
  todos: PublishedTodos[];
  /** From now on this team is talked to, from this file. */
  seat(team: Team, file: string): void;
  /** For the conversation that the next words begin. */
  title: string | undefined;
}

export class TeamLineHost extends LineHost implements ReplHost {
  readonly keys: readonly string[];
  readonly #opened: OpenTeam;
  readonly #talk: SeatedTalk;
  #recall: Promise<HomeRecall> | undefined;

  constructor(context: Context, opened: OpenTeam, talk: SeatedTalk) {
    super({ context, ...opened.around });
    this.#opened = opened;
    this.#talk = talk;
    this.keys = context.text.team.help;
  }

  protected get lines(): LineTalk {
    return this.#talk.lines;
  }

  get current(): TeamTalk {
    return this.#talk.current;
  }

  recall(): Promise<HomeRecall> {
    const { opened, here } = this.#opened.around;
    this.#recall ??= import('../recall/open-home-recall.ts').then(({ openHomeRecall }) =>
      openHomeRecall(this.context, opened, here),
    );
    return this.#recall;
  }

  async openConversation(id: ConversationId): Promise<void> {
    this.say(this.context.text.team.byChat(await shortenId(this.store, id)), 'note');
  }

  async startNew({ title }: { title?: string } = {}): Promise<void> {
    const { team, file } = this.current;
    await this.deployTeam(team, { file });
    this.#talk.title = title;
    this.say(this.context.text.team.begunAnew, 'note');
  }

  /** What is open is left, saved. */
  async deployTeam(given: Team, { file, resumeSessionId }: { file: string; resumeSessionId?: string }): Promise<void> {
    const { coordinator, limit } = this.#opened;
    const team = limit(given);
    this.interrupt();
    await this.lines.settled();
    const left = coordinator.conversationId === undefined ? undefined : describeLeft(this.context, coordinator);
    await hintLocked(this.context, this.store, () =>
      coordinator.setTeam(team, resumeSessionId === undefined ? {} : { resumeSessionId }),
    );
    this.#talk.seat(team, file);
    if (left !== undefined) this.say(left, 'note');
    this.say(describeTeamStart(this.context, team, coordinator.context?.messages.length ?? 0), 'note');
  }

  todos(): readonly PublishedTodos[] {
    return this.#talk.todos;
  }

  publishTodo(items: readonly TodoItem[]): void {
    this.#talk.todos = putTodos(this.#talk.todos, { by: this.context.text.repl.you, items });
  }

  interrupt(): boolean {
    return this.#opened.coordinator.cancel();
  }

  /** There is nothing behind it: to end it is to leave. */
  async leave(): Promise<void> {
    this.lines.leave();
  }

  async close(): Promise<void> {
    await (await this.#recall?.catch(() => undefined))?.close();
  }
}
