// Where the sessions of teams are kept in the home; sealed where the store is encrypted. A file that is not what it should be is told
// once, however often it is looked at.
import { basename, join } from 'node:path';
import { FileSystemStorageService } from '../../snapshot/file-system-storage-service.ts';
import type { SessionProblem } from '../../snapshot/storage-service.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import type { OpenHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';

export async function openTeamStorage(context: Context, { key }: OpenHome): Promise<FileSystemStorageService> {
  const { home, output, style } = context;
  const record = await loadHome(home);
  const onProblem = (problem: SessionProblem) => {
    for (const line of describeNew(context, problem)) output.warn(style.yellow(plainLine(line)));
  };
  if (!record?.encryption) return new FileSystemStorageService({ home, onProblem });
  const { unlock } = await import('../../open-store.ts');
  const { createLineSealer } = await import('../../crypto/line-sealer.ts');
  const raw = (await unlock(home, record, key)) as Uint8Array;
  return new FileSystemStorageService({ home, onProblem, sealer: createLineSealer(raw, join(home, 'sessions')) });
}

/** By run of the program: the paths that were told. */
const told = new WeakMap<Context['cleanups'], Set<string>>();

function describeNew({ text, cleanups }: Context, { path, error, setAside }: SessionProblem): string[] {
  const known = told.get(cleanups) ?? new Set();
  told.set(cleanups, known);
  const lines: string[] = [];
  if (!known.has(path)) {
    const { reason } = error.details;
    const isDamaged = error.code === 'session-damaged';
    lines.push(isDamaged ? text.sessionFiles.unreadable(path, text.translateReason(String(reason))) : describeError(error, text));
  }
  known.add(path);
  if (setAside !== undefined) lines.push(text.sessionFiles.nowAside(path, basename(setAside)));
  return lines;
}
