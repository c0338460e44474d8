// Where in a JSON text a value stands, for messages. The text has been parsed before, so it is well formed.

/** The line of the value at the path, or of the nearest value around it. */
export function findJsonLine(text: string, path: readonly (string | number)[]): number {
  let at = skipSpace(text, 0);
  for (const part of path) {
    const inner = typeof part === 'number' ? findItem(text, at, part) : findField(text, at, part);
    if (inner === undefined) break;
    at = inner;
  }
  return lineOfOffset(text, at);
}

export function lineOfOffset(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line += 1;
  return line;
}

function findField(text: string, start: number, name: string): number | undefined {
  if (text[start] !== '{') return undefined;
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if (JSON.parse(text.slice(at, keyEnd)) === name) return value;
    at = skipSpace(text, skipValue(text, value));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return undefined;
}

function findItem(text: string, start: number, index: number): number | undefined {
  if (text[start] !== '[') return undefined;
  let at = skipSpace(text, start + 1);
  for (let item = 0; at < text.length && text[at] !== ']'; item++) {
    if (item === index) return at;
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return undefined;
}

function skipValue(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start);
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"') i = skipString(text, i) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return i;
      depth -= 1;
      if (depth === 0) return i + 1;
    } else if (depth === 0 && (character === ',' || /\s/.test(character))) return i;
  }
  return text.length;
}

function skipString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text[at] as string)) at += 1;
  return at;
}
