// /help: the commands in one line each, or all about one.
import { commonRuler } from '../../output/text-ruler.ts';
import type { ReplHost } from '../repl-host.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';
import { findSlashWords, slashWords } from './slash-words.ts';

export const help: SlashAction = {
  complete: (words) => (words.length === 1 ? slashWords.map(({ name }) => name) : []),
  async run(words, host) {
    const [given] = words;
    if (words.length > 1) throw new WrongUse();
    if (given === undefined) listCommands(host);
    else explain(host, given);
  },
};

function listCommands(host: ReplHost): void {
  const { text, style } = host.context;
  const width = Math.max(...slashWords.map(({ name }) => commonRuler.width(name))) + 3;
  const lines = slashWords.map(
    ({ name }) => `${style.cyan(`/${name}`)}${' '.repeat(width - commonRuler.width(name))}${text.slash[name].summary}`,
  );
  host.say(lines);
  host.say(host.keys ?? text.slash.help.more, 'note');
}

function explain(host: ReplHost, given: string): void {
  const { text, style } = host.context;
  const command = findSlashWords(given.replace(/^\//, ''));
  if (!command) throw new WrongUse();
  const aliases = command.aliases.map((alias) => `/${alias}`).join(' ');
  host.say([`${style.cyan(`/${command.name}`)}  ${command.summary(text)}`, ...command.usage(text).map((way) => `  ${way}`)]);
  if (aliases !== '') host.say(text.slash.help.also(aliases), 'note');
}
