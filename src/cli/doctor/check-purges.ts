// The doctor's look at the record of purges: while a line of it is damaged nothing is imported, and what it lost is imported again.

import { purgeRecordPath } from '../../store/purge-record.ts';
import { lookAtPurgeRecord, mendPurgeRecord } from '../../store/purge-record-care.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Finding } from './finding.ts';

export async function checkPurges({ home, text, now }: Context, fix: boolean): Promise<Finding[]> {
  const { purgeRecord: words } = text;
  const path = purgeRecordPath(home);
  const look = await lookAtPurgeRecord(path);
  if (!look) return [];
  const { digests, damaged, cut } = look;
  if (damaged.length + cut.length === 0) return [{ check: 'purges', status: 'ok', message: words.fine(digests.size) }];
  const copy = fix ? await mendPurgeRecord(path, now()) : undefined;
  const code = damaged.length > 0 ? 'purge-record-damaged' : 'purge-record-cut';
  if (copy !== undefined) {
    const message = words.mended(damaged.length + cut.length, plainLine(copy));
    return [{ check: 'purges', status: 'fixed', code, message, next: words.mendedNext }];
  }
  // A line that was cut stops no import: it is what a crash leaves, and then nothing was deleted for it.
  if (damaged.length === 0)
    return [{ check: 'purges', status: 'note', code, message: words.cut(path, listNumbers(cut)), next: words.cutNext }];
  const message = words.damaged(path, listNumbers([...damaged, ...cut].sort((a, b) => a - b)));
  return [{ check: 'purges', status: 'problem', code, message, next: words.damagedNext }];
}

/** For those who make and restore backups: what is wrong with the record travels with it. */
export async function notePurges(context: Context): Promise<void> {
  const { output, text, style } = context;
  const look = await lookAtPurgeRecord(purgeRecordPath(context.home));
  if (look && look.damaged.length > 0)
    output.note(style.yellow(text.purgeRecord.travels(purgeRecordPath(context.home), listNumbers(look.damaged))));
}

const mostNumbers = 5;

function listNumbers(numbers: readonly number[]): string {
  return numbers.slice(0, mostNumbers).join(', ') + (numbers.length > mostNumbers ? ', …' : '');
}
