// The doctor's look at the search index: a derivative, so nothing is lost with it, but people should know why searches are slow or empty.
import { ContinuoError } from '../../model/error.ts';
import type { Context } from '../context.ts';
import type { OpenHome } from '../open-home.ts';
import { describeIndex, indexPath, lookAtIndex } from '../recall/look-at-index.ts';
import type { Finding } from './finding.ts';

export async function checkIndex(context: Context, opened: OpenHome): Promise<Finding> {
  const { index: words } = context.text;
  const look = await lookAtIndex(context, opened, { verify: true });
  if (look.state === 'newer-version') {
    throw new ContinuoError('index-newer', { path: indexPath(context), found: look.found, known: look.known });
  }
  const message = words.finding(describeIndex(context, look));
  if (look.state === 'damaged') return { check: 'index', status: 'problem', code: 'index-damaged', message, next: words.anew };
  if (look.state === 'other-version') return { check: 'index', status: 'note', message, next: words.slow };
  if (look.state === 'ok' && look.behind.entries > 0) return { check: 'index', status: 'note', message, next: words.follows };
  return { check: 'index', status: 'ok', message };
}
