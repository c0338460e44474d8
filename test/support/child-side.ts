// The child's side of child-program.ts.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Hands a line to the parent before anything else happens: what was told survives the death of this process. */
export function tell(line: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

export function childInput<Input>(): Input {
  return JSON.parse(process.argv[2] as string) as Input;
}

/** Lines the parent sends, one at a time. */
export function createInbox(): () => Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return async () => (await lines.next()).value as string | undefined;
}
