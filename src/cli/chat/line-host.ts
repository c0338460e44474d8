// What every talk in lines gives to the slash commands in the same way: how it speaks, how it asks, and the snapshots of teams.
import type { FileSystemStorageService } from '../../snapshot/file-system-storage-service.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import type { OpenHome } from '../open-home.ts';
import type { Here } from '../recall/here.ts';
import { createTalkContext, type Question, type ReplHost, type Tone } from '../repl/repl-host.ts';
import type { LineTalk } from './line-talk.ts';
import type { TypedCommand } from './slash-line.ts';

export interface LineHostOptions {
  context: Context;
  opened: OpenHome;
  here: Here;
}

export abstract class LineHost {
  readonly context: Context;
  readonly store: ConversationStore;
  readonly #surroundings: LineHostOptions;
  #storage: Promise<FileSystemStorageService> | undefined;

  constructor(surroundings: LineHostOptions) {
    const { context, opened } = surroundings;
    this.#surroundings = surroundings;
    this.context = createTalkContext(
      context,
      (lines, tone) => this.say(lines, tone),
      () => process.stdout.columns ?? context.terminal.columns,
    );
    this.store = opened.store;
  }

  protected abstract readonly lines: LineTalk;

  async here(): Promise<Here> {
    return this.#surroundings.here;
  }

  storage(): Promise<FileSystemStorageService> {
    this.#storage ??= import('../team/open-storage.ts').then(({ openTeamStorage }) =>
      openTeamStorage(this.context, this.#surroundings.opened),
    );
    return this.#storage;
  }

  say(lines: string | readonly string[], tone: Tone = 'plain'): void {
    const { style } = this.context;
    const paint = { plain: undefined, note: style.dim, done: undefined, warning: style.yellow, error: style.red }[tone];
    const whole = [lines].flat().flatMap((line) => line.split('\n'));
    this.lines.tell(paint ? whole.map(paint) : whole);
  }

  async ask({ lines, choices }: Question): Promise<string | undefined> {
    this.say([...lines, ...choices.map(({ key, label }) => `  [${key}] ${label}`)]);
    const keys = choices.map(({ key }) => key).join('/');
    const prompt = this.context.text.repl.choose(keys);
    for (;;) {
      const typed = await this.lines.askLine(`${prompt} `);
      if (typed === undefined || typed.trim() === '') return undefined;
      const chosen = choices.find(({ key }) => key.toLowerCase() === typed.trim().toLowerCase());
      if (chosen) return chosen.key;
      this.say(this.context.text.repl.noAnswer(keys), 'warning');
    }
  }

  askText(prompt: string): Promise<string | undefined> {
    return this.lines.askLine(`${prompt} `);
  }

  settled(): Promise<void> {
    return this.lines.settled();
  }
}

export async function runLineCommand(typed: TypedCommand, host: ReplHost): Promise<void> {
  const { runSlash } = await import('../repl/slash/slash-table.ts');
  await runSlash(typed, host);
}
