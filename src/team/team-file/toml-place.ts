// Where in a TOML text a value stands, for messages: tables, arrays of tables and keys, line by line. What a value means is the
// parser's business.

/** The line of the value at the path, or of the nearest table around it. */
export function findTomlLine(text: string, path: readonly (string | number)[]): number {
  const counts = new Map<string, number>();
  let table: (string | number)[] = [];
  let best = { line: 1, depth: 0 };
  text.split('\n').forEach((raw, index) => {
    const [, brackets, header] = /^\s*(\[\[?)\s*([^[\]]+?)\s*\]/.exec(raw) ?? [];
    const key =
      header === undefined
        ? /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/.exec(raw)?.[1]
        : undefined;
    if (header !== undefined) {
      table = splitKey(header);
      if (brackets === '[[') {
        const name = table.join('.');
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        table.push(count);
      } else table = withIndexes(table, counts);
    }
    if (header === undefined && key === undefined) return;
    const place = key === undefined ? table : [...table, ...splitKey(key)];
    const isAround = place.length <= path.length && place.every((part, i) => part === path[i]);
    if (isAround && place.length > best.depth) best = { line: index + 1, depth: place.length };
  });
  return best.line;
}

/** `[members.limits]` below `[[members]]` belongs to the last of them. */
function withIndexes(table: readonly (string | number)[], counts: ReadonlyMap<string, number>): (string | number)[] {
  const placed: (string | number)[] = [];
  table.forEach((part, i) => {
    placed.push(part);
    const count = counts.get(table.slice(0, i + 1).join('.'));
    if (count !== undefined) placed.push(count - 1);
  });
  return placed;
}

function splitKey(key: string): (string | number)[] {
  return key.split('.').map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'));
}
