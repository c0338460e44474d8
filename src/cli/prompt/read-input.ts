// Text handed in through stdin.
import type { Context } from '../context.ts';
import { formatSize } from '../output/size.ts';
import { usageError } from '../usage-error.ts';

/** Far more than anybody says at once, and little enough to be kept in memory several times over. */
const mostBytes = 64 * 1024 * 1024;

/** All of stdin as text without its last line end. Bytes that are no text are refused: saving them would change them. */
export async function readInput(context: Context): Promise<string> {
  if (context.terminal.stdin) context.output.note(context.style.dim(context.text.prompts.typeText));
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw usageError(context.text.usage.tooLarge(formatSize(mostBytes)));
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch {
    throw usageError(context.text.usage.notText);
  }
}
