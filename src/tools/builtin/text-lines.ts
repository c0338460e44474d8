// Text as lines, the way people count them.

/** A line break at the very end ends the last line and begins no new one. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function countLines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
