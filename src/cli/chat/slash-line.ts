// What is meant for the program and not for the model: it begins with a slash, whatever follows, also over several lines. A path is
// none of it, and a second slash sends the line all the same.

/** What is said, or the name of a command without its slash (empty where none is given) and the words after it. Whether there is such a command is not known here. */
export type TypedLine = { say: string } | TypedCommand;

export interface TypedCommand {
  command: string;
  words: string[];
}

export function readTypedLine(text: string): TypedLine {
  if (text.startsWith('//')) return { say: text.slice(1) };
  const [whole = '', command] = /^\/(\p{L}[\p{L}\p{N}_-]*|\?|)(?:\s|$)/u.exec(text) ?? [];
  if (command === undefined) return { say: text };
  return {
    command: command.toLowerCase(),
    words: text
      .slice(whole.length)
      .split(/\s+/)
      .filter((word) => word !== ''),
  };
}
