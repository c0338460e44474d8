// What a talk gives to the slash commands: the terminal application (Ink) and the plain chat both implement it. Nothing here knows
// how anything is drawn. A member that is optional is one that not every talk can do; a command says so where it is missing.
import { Writable } from 'node:stream';
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Grant } from '../../runtime/approvals/approval-grants.ts';
import type { Compaction, Uncompaction } from '../../runtime/history/compaction.ts';
import type { FileSystemStorageService } from '../../snapshot/file-system-storage-service.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { TeamStatus } from '../../team/coordinator.ts';
import type { TodoItem } from '../../team/routing/parse-todos.ts';
import type { Team } from '../../team/team-definition.ts';
import type { Context, Terminal } from '../context.ts';
import { Output } from '../output/output.ts';
import type { Here } from '../recall/here.ts';
import type { HomeRecall } from '../recall/open-home-recall.ts';

/** `plain` is a result, `note` something worth knowing (dim), `done` that something was done, `warning` and `error` speak for themselves. */
export type Tone = 'plain' | 'note' | 'done' | 'warning' | 'error';

export interface ReplHost {
  /**
   * Texts, style, settings, clock, home. Made by {@link createTalkContext}: its `output` writes into the talk and never straight to
   * the streams, because what commands share with `continuo …` writes there.
   */
  readonly context: Context;
  readonly store: ConversationStore;
  /** What is talked to now. */
  readonly current: CurrentTalk;
  /** Lines about the keys of this talk, for /help. */
  readonly keys?: readonly string[];
  /** The folder of the talk, found once. */
  here(): Promise<Here>;
  /** Recall of the home, opened on first use and closed by the host. */
  recall(): Promise<HomeRecall>;
  /** The snapshots of teams in the home, opened on first use. */
  storage(): Promise<FileSystemStorageService>;

  /** Lines of the program's own in the talk. They are finished: painted, and safe for a terminal. Never stored. */
  say(lines: string | readonly string[], tone?: Tone): void;
  /** The key of what was chosen; undefined where the person turned away (Esc, Ctrl-C, end of input). */
  ask(question: Question): Promise<string | undefined>;
  /** A line that is typed in; undefined where the person turned away. */
  askText(prompt: string, initial?: string): Promise<string | undefined>;

  /** Leaves what is open (saved) and goes on with a stored conversation; that of a team without its team, as a plain conversation. */
  openConversation(id: ConversationId): Promise<void>;
  /** Leaves what is open (saved) and begins a new conversation. */
  startNew(options?: { title?: string }): Promise<void>;
  /** Seats a team: in the session of that id, or in a new one. What is open is left (saved). Nothing is asked any more. */
  deployTeam?(team: Team, options: { file: string; resumeSessionId?: string }): Promise<void>;

  /** From the next turn on another model answers, as `provider:model` or `offline`. Throws where there is no such model. */
  setModel?(reference: string): Promise<void>;
  /** Models worth completing: the present one, that of the settings. */
  knownModels?(): readonly string[];
  /** A summary stands for everything said so far in the model's view; undefined where nothing was said since the last. */
  compact?(): Promise<Compaction | undefined>;
  /** The view as if nothing had been compacted; undefined where nothing was. */
  uncompact?(): Promise<Uncompaction | undefined>;

  /** What is allowed in this session, also what is kept in memory only. */
  listApprovals?(): Promise<readonly Grant[]>;
  /** By its whole id. */
  revokeApproval?(id: string): Promise<void>;

  /** The lists that members have published, newest first. Never stored. */
  todos(): readonly PublishedTodos[];
  /** A list of the person's own beside them; an empty one takes it away. */
  publishTodo?(items: readonly TodoItem[]): void;

  /** The stored data of the conversation were changed: its title, its mark. */
  changed?(): void;
  /** Stops the turn at work; false where nobody speaks. */
  interrupt(): boolean;
  /** Resolves when no turn is at work any more, and what had been said is saved. */
  settled?(): Promise<void>;
  /** Ends the talk and saves; with `quits` false a team is left and the application goes on without it. Resolves when that is done. */
  leave(options: { quits: boolean }): Promise<void>;
}

export type CurrentTalk = ConversationTalk | TeamTalk;

interface CommonTalk {
  /** Undefined until something was said. */
  readonly id: ConversationId | undefined;
  /** As stored, where it is; `store.get(id)` tells the newest. */
  readonly title: string | undefined;
  /** A turn is at work. */
  readonly isBusy: boolean;
}

export interface ConversationTalk extends CommonTalk {
  readonly kind: 'conversation';
  /** `provider:model`, or `offline`. */
  readonly model: string;
}

export interface TeamTalk extends CommonTalk {
  readonly kind: 'team';
  readonly team: Team;
  /** The file it was deployed from. */
  readonly file: string;
  readonly sessionId: string;
  readonly status: TeamStatus;
  readonly messages: number;
  readonly task: string | undefined;
  /** Who speaks now and who speaks next, by id. */
  readonly speaking: string | undefined;
  readonly queue: readonly string[];
  /** Whether the snapshot holds everything. */
  readonly isSaved: boolean;
}

export interface PublishedTodos {
  /** Who published it, as people know them. */
  by: string;
  items: readonly TodoItem[];
}

export interface Question {
  /** Above the choices: what it is about. Painted and safe like all lines. */
  lines: readonly string[];
  choices: readonly Choice[];
}

export interface Choice {
  /** What is typed for it, and what comes back; unique in its question. A letter, or a number where there are many. */
  key: string;
  label: string;
}

/** The stored conversation that is open, as the store knows it now; undefined where nothing was said yet. */
export async function findCurrent({ store, current }: Pick<ReplHost, 'store' | 'current'>): Promise<Conversation | undefined> {
  return current.id === undefined ? undefined : store.find(current.id);
}

/** The context of a talk: its output speaks into it, and nothing writes or asks beside it. `columns` tells the present width. */
export function createTalkContext(context: Context, say: ReplHost['say'], columns: () => number | undefined): Context {
  const terminal: Terminal = {
    stdin: false,
    stdout: false,
    stderr: false,
    get columns() {
      return columns();
    },
  };
  return { ...context, output: createSayOutput(say), terminal };
}

/** Results as they are, what is only worth knowing as notes. */
export function createSayOutput(say: ReplHost['say']): Output {
  const into = (tone: Tone) =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        say(text.replace(/\n$/, '').split('\n'), tone);
        done();
      },
    });
  return new Output({ stdout: into('plain'), stderr: into('note'), json: false, quiet: false });
}
