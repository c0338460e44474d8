// Text handed in through stdin.
import type { Context } from '../context.ts';
import { usageError } from '../usage-error.ts';

/** All of stdin as text without its last line end. Bytes that are no text are refused: saving them would change them. */
export async function readInput(context: Context): Promise<string> {
  if (context.terminal.stdin) context.output.note(context.style.dim(context.text.prompts.typeText));
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch {
    throw usageError(context.text.usage.notText);
  }
}
