// The slash commands there are, by name. A command is loaded when it is called, completed or explained.
import { nearestName } from '../../../config/nearest-name.ts';
import { readTypedLine, type TypedCommand } from '../../chat/slash-line.ts';
import { Interrupted } from '../../interrupted.ts';
import type { Messages } from '../../messages/messages.ts';
import { plainLine } from '../../output/plain-text.ts';
import { describeFault } from '../describe-fault.ts';
import type { ReplHost } from '../repl-host.ts';
import { type SlashAction, type SlashCommand, type SlashName, type SlashWords, WrongUse } from './slash-command.ts';
import { findSlashWords, slashWords } from './slash-words.ts';

const loaders: Readonly<Record<SlashName, () => Promise<SlashAction>>> = {
  help: async () => (await import('./help.ts')).help,
  new: async () => (await import('./new.ts')).newConversation,
  resume: async () => (await import('./resume.ts')).resume,
  team: async () => (await import('./team.ts')).team,
  search: async () => (await import('./search.ts')).search,
  recall: async () => (await import('./recall.ts')).recall,
  fork: async () => (await import('./fork.ts')).fork,
  rename: async () => (await import('./rename.ts')).rename,
  pin: async () => (await import('./pin.ts')).pin,
  compact: async () => (await import('./compact.ts')).compact,
  uncompact: async () => (await import('./uncompact.ts')).uncompact,
  model: async () => (await import('./model.ts')).model,
  approvals: async () => (await import('./approvals.ts')).approvals,
  export: async () => (await import('./export.ts')).exportConversation,
  todo: async () => (await import('./todo.ts')).todo,
  end: async () => (await import('./end.ts')).end,
  quit: async () => (await import('./quit.ts')).quit,
};

/** In the order in which /help tells them. */
export const slashCommands: readonly SlashCommand[] = slashWords.map(withAction);

/** By its name or another name it has, in any case, without the slash. */
export function findSlashCommand(given: string): SlashCommand | undefined {
  const name = findSlashWords(given)?.name;
  return slashCommands.find((command) => command.name === name);
}

/** Runs a command that was typed, and tells what goes wrong: nothing is thrown, and nothing of it is sent to a model. */
export async function runSlash({ command: given, words }: TypedCommand, host: ReplHost): Promise<void> {
  const command = findSlashCommand(given);
  if (!command) host.say(describeUnknown(given, host.context.text), 'warning');
  else
    await command.run(words, host).catch((error: unknown) => {
      if (!(error instanceof Interrupted)) host.say(describeFault(host.context, error), 'error');
    });
}

/** There is no such command: the nearest there is, and how to send the line all the same. */
export function describeUnknown(given: string, text: Messages): string {
  const nearest = nearestName(
    given,
    slashCommands.map(({ name }) => name),
  );
  const hint = nearest === undefined ? text.slash.seeHelp : text.slash.nearest(nearest);
  return [text.slash.unknown(`/${plainLine(given)}`), hint, text.slash.toSend].join(text.sentenceGap);
}

export interface SlashCompletion {
  /** Where in the line the word begins that is to be replaced; its end is the end of the line. */
  start: number;
  /** What it could become, in order. */
  choices: readonly string[];
}

/** What the end of a line could become; undefined where the line is no command. */
export async function completeSlash(line: string, host: ReplHost): Promise<SlashCompletion | undefined> {
  const [, typed] = /^\/([^\s/]*)$/.exec(line) ?? [];
  if (typed !== undefined) {
    const begun = slashCommands.map(({ name }) => `/${name}`).filter((name) => name.startsWith(`/${typed.toLowerCase()}`));
    return { start: 0, choices: begun };
  }
  const read = readTypedLine(line);
  if (!('command' in read)) return undefined;
  const isNext = /\s$/.test(line);
  const words = isNext ? [...read.words, ''] : read.words;
  const last = words.at(-1) ?? '';
  const choices = (await findSlashCommand(read.command)?.complete?.(words, host)) ?? [];
  const fitting = choices.filter((choice) => choice.toLowerCase().startsWith(last.toLowerCase()) && choice !== last);
  return { start: line.length - last.length, choices: fitting };
}

function withAction(words: SlashWords): SlashCommand {
  const load = loaders[words.name];
  return {
    ...words,
    complete: async (typed, host) => (await (await load()).complete?.(typed, host)) ?? [],
    async run(typed, host) {
      const { text } = host.context;
      try {
        await (await load()).run(typed, host);
      } catch (error) {
        if (!(error instanceof WrongUse)) throw error;
        host.say(text.slash.usage(words.usage(text).join(' · ')), 'warning');
      }
    },
  };
}
