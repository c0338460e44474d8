// Cuts a session's bytes into complete lines, a bounded one at a time: a line above the limit is counted and never held. The last line,
// if it has no end yet, is left for the next reading.

export interface SessionLine {
  /** Counted from 1, through the whole file. */
  number: number;
  /** Where the next line begins. */
  end: number;
  /** Without the line's end; undefined where the line is above the limit. */
  bytes: Buffer | undefined;
  /** Its last bytes, of whatever length it is: what the place after it is recognised by. */
  tail: Buffer;
}

export const tailBytes = 1024;
const newline = 10;

export interface LineStreamOptions {
  /** Where the bytes begin, and how many lines are before that. */
  place: number;
  line: number;
  mostBytes: number;
}

/** Lines in groups, as they come with the chunks: cheaper than one by one. */
export async function* cutLines(
  chunks: AsyncIterable<Buffer>,
  { place, line, mostBytes }: LineStreamOptions,
): AsyncGenerator<SessionLine[]> {
  let number = line;
  let position = place;
  let held: Buffer[] = [];
  let length = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const lines: SessionLine[] = [];
    let used = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, used)) {
      const piece = chunk.subarray(used, at);
      const isWhole = length + piece.length <= mostBytes;
      const bytes = !isWhole ? undefined : held.length === 0 ? piece : Buffer.concat([...held, piece]);
      number += 1;
      used = at + 1;
      lines.push({ number, end: position + used, bytes, tail: lastBytes(bytes ? [bytes] : [tail, piece]) });
      held = [];
      length = 0;
      tail = Buffer.alloc(0);
    }
    const rest = chunk.subarray(used);
    length += rest.length;
    if (length <= mostBytes) held.push(rest);
    else held = [];
    // Kept for the line that turns out too long; a copy, so that the chunk can go.
    if (length > mostBytes) tail = Buffer.from(lastBytes([tail, ...held, rest]));
    else tail = lastBytes([tail, rest]);
    position += chunk.length;
    if (lines.length > 0) yield lines;
  }
}

function lastBytes(pieces: readonly Buffer[]): Buffer {
  const last = pieces.at(-1);
  if (last && (last.length >= tailBytes || pieces.length === 1)) return last.subarray(-tailBytes);
  return Buffer.concat(pieces).subarray(-tailBytes);
}
