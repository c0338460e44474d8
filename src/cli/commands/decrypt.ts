// continuo decrypt: turns an encrypted store into a plain one.
import { convertStore } from '../../convert-store.ts';
import { ContinuoError } from '../../model/error.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { withKey } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { withProgress } from '../output/progress.ts';
import { dropIndex, noteDropped } from '../recall/drop-index.ts';

export function define(): void {}

export async function run(context: Context): Promise<undefined> {
  const { home, text } = context;
  const record = await loadHome(home);
  if (!record) throw new ContinuoError('store-not-found', { path: home });
  if (!record.encryption) throw new ContinuoError('not-encrypted', { path: home });
  const result = await withKey(context, record, (from) =>
    withProgress(context, text.encryption.decrypting, (progress) => convertStore({ home, ...(from && { from }) }, progress)),
  );
  const hadIndex = await dropIndex(home);
  context.output.done({ home, encrypted: false, ...result }, () => text.encryption.decrypted(plainLine(home)));
  const damaged = result.damagedSessions.length;
  if (damaged > 0) context.output.note(context.style.yellow(context.text.sessionFiles.carried(damaged)));
  if (hadIndex) noteDropped(context);
}
