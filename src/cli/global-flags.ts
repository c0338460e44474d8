// Options every command has. Some are needed before the command line can be parsed (help is written in a language, and the language
// may stand in the home's settings), so they are also looked up directly among the words.
import type { Command } from 'commander';
import type { Help } from './messages/messages.ts';

export interface GlobalFlags {
  home?: string;
  json?: boolean;
  quiet?: boolean;
  lang?: string;
  color?: boolean;
  keyFile?: string;
}

const withValue = ['--home', '--lang', '--key-file'];

export function addGlobalOptions(program: Command, help: Help['global']): void {
  program
    .option('--home <folder>', help.home)
    .option('--json', help.json)
    .option('-q, --quiet', help.quiet)
    .option('--lang <language>', help.lang)
    .option('--color', help.color)
    .option('--no-color', help.noColor)
    .option('--key-file <file>', help.keyFile);
}

/** What the words say about the options every command has; the last one counts, and nothing after `--` does. */
export function scanGlobalFlags(words: readonly string[]): GlobalFlags {
  const own = ownWords(words);
  const flags: GlobalFlags = {};
  const [home, lang, keyFile] = [lastValue(own, '--home'), lastValue(own, '--lang'), lastValue(own, '--key-file')];
  if (home !== undefined) flags.home = home;
  if (lang !== undefined) flags.lang = lang;
  if (keyFile !== undefined) flags.keyFile = keyFile;
  // Events are JSON too: nothing else may be printed among them.
  if (own.includes('--json') || own.includes('--stream-json')) flags.json = true;
  if (own.includes('--quiet') || own.includes('-q')) flags.quiet = true;
  const color = own.findLast((word) => word === '--color' || word === '--no-color');
  if (color !== undefined) flags.color = color === '--color';
  return flags;
}

/** The words that are neither options nor the values of options every command has. The first is the command's name. */
export function operandsOf(words: readonly string[]): string[] {
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === '--') return [...operands, ...words.slice(i + 1)];
    if (withValue.includes(word)) i += 1;
    else if (!word.startsWith('-') || word === '-') operands.push(word);
  }
  return operands;
}

function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

function lastValue(words: readonly string[], flag: string): string | undefined {
  const index = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (index < 0) return undefined;
  const word = words[index] as string;
  return word === flag ? words[index + 1] : word.slice(flag.length + 1);
}
