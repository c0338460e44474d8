// Lines that are meant for the program and not for the model: they begin with a slash and a word. A path is no such line, and a second
// slash sends the line all the same.

export type TypedLine = { say: string } | { command: SlashCommand } | { unknown: string };
export type SlashCommand = (typeof slashCommands)[number];

const slashCommands = ['help', 'quit'] as const;

export function readTypedLine(text: string): TypedLine {
  if (text.startsWith('//')) return { say: text.slice(1) };
  const [, word] = /^\/(\p{L}[\p{L}\p{N}_-]*)(?:[^\S\n]|$)/u.exec(text) ?? [];
  if (word === undefined || text.includes('\n')) return { say: text };
  const command = slashCommands.find((name) => name === word.toLowerCase());
  return command === undefined ? { unknown: `/${word}` } : { command };
}
