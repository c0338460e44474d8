// Text that another program hands over on stdin, where there is one. Who gave a prompt already does not wait for ever.
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { readInput } from '../prompt/read-input.ts';

const patience = 3000;

/** Whether stdin is a pipe or a file. Nothing is read. */
export function hasPipedInput(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  } catch {
    return false;
  }
}

/** All of it. After a while a line says what is being waited for. */
export async function readPiped(context: Context): Promise<string> {
  const timer = setTimeout(() => context.output.note(context.style.dim(context.text.chat.waitingForInput)), patience);
  process.stdin.once('readable', () => clearTimeout(timer));
  try {
    return await readInput(context);
  } finally {
    clearTimeout(timer);
  }
}

/** What is added to a prompt: nothing where nothing comes. */
export async function readAddition(context: Context): Promise<string> {
  if (!hasPipedInput()) return '';
  const waiting = new AbortController();
  const came = await Promise.race([
    once(process.stdin, 'readable', { signal: waiting.signal }).then(
      () => true,
      () => false,
    ),
    sleep(patience, false, { signal: waiting.signal }).catch(() => false),
  ]);
  waiting.abort();
  if (came) return readInput(context);
  context.output.note(context.style.dim(context.text.chat.noInput));
  process.stdin.destroy();
  return '';
}
