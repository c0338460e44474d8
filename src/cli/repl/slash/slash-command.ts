// The shape of a slash command: its words, what completes them, and what it does. What it throws is told by whoever runs it.
import type { Messages } from '../../messages/messages.ts';
import type { ReplHost } from '../repl-host.ts';

export interface SlashCommand extends SlashWords, SlashAction {}

export interface SlashWords {
  /** Without the slash. */
  readonly name: SlashName;
  /** Other names it goes by. */
  readonly aliases: readonly string[];
  summary(text: Messages): string;
  /** The ways to call it, each with its slash. */
  usage(text: Messages): readonly string[];
}

/** What a command does; a file of its own for each. */
export interface SlashAction {
  /** What the last word could become, whole words; the words before it are finished. The first is the one after the name. */
  complete?(words: readonly string[], host: ReplHost): Promise<readonly string[]> | readonly string[];
  run(words: readonly string[], host: ReplHost): Promise<void>;
}

/** The commands that have words of their own in the messages. */
export type SlashName = {
  [Name in keyof Messages['slash']]: Messages['slash'][Name] extends { summary: string } ? Name : never;
}[keyof Messages['slash']];

/** Thrown where the words after the name make no sense: the ways to call the command are told. */
export class WrongUse extends Error {}

/** For commands that take nothing after their name. */
export function takesNone(words: readonly string[]): void {
  if (words.length > 0) throw new WrongUse();
}
