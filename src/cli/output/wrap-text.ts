// Wraps text at spaces, and inside scripts that are written without them.
import type { TextRuler } from './text-ruler.ts';

/** The text with line ends put in so that no line is wider than told, unless a single word is. */
export function wrapText(text: string, columns: number, ruler: TextRuler): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns, ruler))
    .join('\n');
}

function wrapLine(line: string, columns: number, ruler: TextRuler): string {
  const lines: string[] = [];
  let current = '';
  for (const piece of line.match(pieces) ?? []) {
    if (current !== '' && ruler.width((current + piece).trimEnd()) > columns) {
      lines.push(current.trimEnd());
      current = piece.trimStart();
    } else current += piece;
  }
  lines.push(current.trimEnd());
  return lines.join('\n');
}

// One wide character with the punctuation that may not begin a line, or one word; each with the spaces behind it.
const pieces =
  /(?:[\u2e80-\u9fff\uac00-\ud7a3][\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u300b\u300d\u300f\u3011\u201d]*|[^\s\u2e80-\u9fff\uac00-\ud7a3]+)\s*|\s+/g;
