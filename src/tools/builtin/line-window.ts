// Some lines of a file, read from its start and no further than needed: memory stays bounded however long the file or a line is.
import type { FileHandle } from 'node:fs/promises';
import { createDecoder, type TextForm } from './text-encoding.ts';

export interface LineWindow {
  lines: string[];
  /** The last line of the window is the last of the file. */
  complete: boolean;
  /** How many lines there are, where the end was reached. */
  total?: number;
}

const chunkSize = 256 * 1024;
/** Longer than any line is shown; what goes beyond is not kept. */
const lineKept = 8 * 1024;

/** Lines `first` (counted from 1) to `first + count - 1`. */
export async function readLineWindow(
  handle: FileHandle,
  form: TextForm,
  window: { first: number; count: number },
  signal: AbortSignal,
): Promise<LineWindow> {
  const decoder = createDecoder(form.encoding);
  const chunk = Buffer.alloc(chunkSize);
  const lines: string[] = [];
  let position = form.bom ? (form.encoding === 'utf-8' ? 3 : 2) : 0;
  let number = 1;
  let rest = '';
  const last = window.first + window.count - 1;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunkSize, position);
    position += bytesRead;
    const text = bytesRead > 0 ? decoder.decode(chunk.subarray(0, bytesRead), { stream: true }) : decoder.decode();
    const parts = text.split('\n');
    parts[0] = rest + (parts[0] as string);
    rest = parts.pop() as string;
    for (const line of parts) {
      if (number > last) return { lines, complete: false };
      if (number >= window.first) lines.push(line.replace(/\r$/, ''));
      number += 1;
    }
    if (rest.length > lineKept) rest = rest.slice(0, lineKept);
    if (bytesRead > 0) continue;
    if (rest !== '') {
      if (number > last) return { lines, complete: false };
      if (number >= window.first) lines.push(rest);
      number += 1;
    }
    return { lines, complete: true, total: number - 1 };
  }
}
