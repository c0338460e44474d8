// The shape of a slash command: its words, what completes them, and what it does. What it throws is told by whoever runs it.
import type { Messages } from '../../messages/messages.ts';
import type { ReplHost } from '../repl-host.ts';

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  summary(text: Messages): string;
  /** The ways to call it, each with its slash. */
  usage(text: Messages): readonly string[];
  /** What the last word could become, whole words; the words before it are finished. The first is the one after the name. */
  complete?(words: readonly string[], host: ReplHost): Promise<readonly string[]> | readonly string[];
  run(words: readonly string[], host: ReplHost): Promise<void>;
}
