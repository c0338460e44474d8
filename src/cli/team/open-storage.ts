// Where the sessions of teams are kept in the home; sealed where the store is encrypted.
import { join } from 'node:path';
import { FileSystemStorageService } from '../../snapshot/file-system-storage-service.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import type { OpenHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';

export async function openTeamStorage(context: Context, { key }: OpenHome): Promise<FileSystemStorageService> {
  const { home, output, style, text } = context;
  const record = await loadHome(home);
  const onProblem = ({ error }: { error: Parameters<typeof describeError>[0] }) =>
    output.warn(style.yellow(plainLine(describeError(error, text))));
  if (!record?.encryption) return new FileSystemStorageService({ home, onProblem });
  const { unlock } = await import('../../open-store.ts');
  const { createLineSealer } = await import('../../crypto/line-sealer.ts');
  const raw = (await unlock(home, record, key)) as Uint8Array;
  return new FileSystemStorageService({ home, onProblem, sealer: createLineSealer(raw, join(home, 'sessions')) });
}
