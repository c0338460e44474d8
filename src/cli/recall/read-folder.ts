// A folder that was named on the command line, as it really is.
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { usageError } from '../usage-error.ts';

export function readFolder({ text }: Pick<Context, 'text'>, given: string | undefined): string {
  const folder = resolve(given ?? '.');
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch {
    // Said below.
  }
  throw usageError(text.chat.noFolder(folder));
}
