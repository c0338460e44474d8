// The search index of the home as `stats` and `doctor` tell about it. Looking changes nothing.
import { join } from 'node:path';
import { unlock } from '../../open-store.ts';
import type { IndexLook } from '../../recall/index/inspect-index.ts';
import { loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import type { OpenHome } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { formatSize } from '../output/size.ts';

export async function lookAtIndex(
  { home }: Context,
  { store, key }: OpenHome,
  options: { verify?: boolean } = {},
): Promise<IndexLook> {
  const record = await loadHome(home);
  if (!record) return { state: 'absent' };
  const raw = await unlock(home, record, key);
  const { inspectIndex } = await import('../../recall/index/inspect-index.ts');
  return inspectIndex({ path: indexPath({ home }), store, ...(raw && { key: raw }), ...options });
}

export function indexPath({ home }: Pick<Context, 'home'>): string {
  return join(home, 'index.db');
}

/** In one line. */
export function describeIndex({ text }: Context, look: IndexLook): string {
  const words = text.index;
  if (look.state !== 'ok') return words[look.state];
  const models = look.models.map(({ id, isBuilding, behind }) => words.model(plainLine(id), isBuilding, behind));
  return [
    words.holds(formatSize(look.bytes), look.documents),
    look.behind.entries === 0 ? words.upToDate : words.behind(look.behind.entries, look.behind.conversations),
    ...(models.length === 0 ? [words.noModel] : models),
  ].join(words.between);
}
