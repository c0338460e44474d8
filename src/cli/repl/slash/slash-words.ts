// The words of every slash command: its names, what it is for and the ways to call it. What they do is loaded elsewhere.
import type { Messages } from '../../messages/messages.ts';
import type { SlashName, SlashWords } from './slash-command.ts';

/** In the order in which /help tells them. */
export const slashWords: readonly SlashWords[] = [
  define({ name: 'help', aliases: ['?', '帮助'], ways: ({ command }) => ['/help', `/help ${command}`] }),
  define({ name: 'new', ways: ({ title }) => ['/new', `/new ${title}`] }),
  define({ name: 'resume', aliases: ['open'], ways: ({ id }) => ['/resume', '/resume all', `/resume ${id}`] }),
  define({ name: 'team', ways: ({ file }) => ['/team', '/team list', '/team status', `/team deploy ${file}`] }),
  define({ name: 'search', ways: ({ words }) => [`/search ${words}`] }),
  define({ name: 'recall', ways: ({ words }) => ['/recall', `/recall ${words}`] }),
  define({ name: 'fork', ways: ({ entry }) => ['/fork', `/fork ${entry}`] }),
  define({ name: 'rename', aliases: ['title'], ways: ({ title }) => ['/rename', `/rename ${title}`] }),
  define({ name: 'pin', ways: () => ['/pin', '/pin off'] }),
  define({ name: 'compact' }),
  define({ name: 'uncompact' }),
  define({ name: 'model', ways: ({ model }) => ['/model', `/model ${model}`, '/model offline'] }),
  define({ name: 'approvals', ways: ({ id }) => ['/approvals', `/approvals revoke ${id}`] }),
  define({ name: 'export', ways: ({ file }) => ['md', 'json', 'jsonl'].map((ending) => `/export ${file}.${ending}`) }),
  define({
    name: 'todo',
    aliases: ['todos'],
    ways: ({ text, number }) => ['/todo', `/todo add ${text}`, `/todo done ${number}`, '/todo clear'],
  }),
  define({ name: 'end', aliases: ['stop'] }),
  define({ name: 'quit', aliases: ['exit', 'q'] }),
];

/** By its name or another name it has, in any case, without the slash. */
export function findSlashWords(given: string): SlashWords | undefined {
  const wanted = given.toLowerCase();
  return slashWords.find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
}

interface Defined {
  name: SlashName;
  aliases?: readonly string[];
  /** With names for what the user puts in; the command's own name alone if left out. */
  ways?(names: Messages['slash']['names']): readonly string[];
}

function define({ name, aliases = [], ways = () => [`/${name}`] }: Defined): SlashWords {
  return { name, aliases, summary: (text) => text.slash[name].summary, usage: (text) => ways(text.slash.names) };
}
