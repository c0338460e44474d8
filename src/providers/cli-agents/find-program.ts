// Whether a program could be started from a folder, found as the system finds it: a name in the PATH, a path from the folder. Nothing
// is started.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { missingProgram, startFault } from './program-missing.ts';

/** Throws `program-missing` with the reason that a start would give. */
export async function requireProgram(
  id: string,
  program: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<void> {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const isPath = program.includes('/') || (process.platform === 'win32' && program.includes('\\'));
  const folders = isPath ? [''] : path.split(delimiter);
  let code = 'ENOENT';
  for (const folder of folders) {
    for (const ending of endings) {
      const found = await look(resolve(cwd, folder, program + ending));
      if (found === 'program') return;
      if (found === 'forbidden') code = 'EACCES';
    }
  }
  throw missingProgram(id, startFault({ code, message: code }, program));
}

const endings = process.platform === 'win32' ? ['', '.exe', '.com'] : [''];

async function look(path: string): Promise<'program' | 'forbidden' | 'nothing'> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 'nothing';
  if (!found.isFile()) return 'forbidden';
  return access(path, constants.X_OK).then(
    () => 'program',
    () => 'forbidden',
  );
}
