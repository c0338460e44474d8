// Tells a file in which nothing was said from one that is damaged, and both from one that its agent is just making.
import { readHead } from './session-folder.ts';
import type { TranscriptSource } from './transcript-format.ts';

/** Longer than any agent takes between making a file and writing into it. */
const newness = 60 * 1000;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
const zero = 0;

/** Empty, and new: what will be in it comes with the next import. A document that stays empty has lost what was in it. */
export function isBeingMade({ size, modifiedAt }: TranscriptSource): boolean {
  return size === 0 && Date.now() - modifiedAt < newness;
}

/** Whether a growing file without a single complete line does not even begin with a record: zeros after a crash, or anything at all. */
export async function isGarbage({ path, part }: TranscriptSource): Promise<boolean> {
  if (part !== undefined || !path.endsWith('.jsonl')) return false;
  const head = await readHead(path).catch(() => Buffer.alloc(0));
  const start = head.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  const first = head.subarray(start).find((byte) => byte !== zero && !blanks.has(byte));
  return first === undefined ? head.includes(zero) : first !== '{'.charCodeAt(0);
}
