// A storage policy as one word: full, headers-only, none, ttl:30d or ttl:30d:delete.
import type { StoragePolicy } from '../model/storage-policy.ts';
import type { Context } from './context.ts';
import { parseSpan } from './output/moment.ts';
import { usageError } from './usage-error.ts';

export function readPolicy(context: Pick<Context, 'text'>, value: string): StoragePolicy {
  if (value === 'full' || value === 'headers-only' || value === 'none') return { kind: value };
  const [kind, span, afterwards = 'headers-only', ...rest] = value.split(':');
  const milliseconds = parseSpan(span ?? '');
  const isKnown = kind === 'ttl' && rest.length === 0 && (afterwards === 'headers-only' || afterwards === 'delete');
  if (!isKnown || milliseconds === undefined || milliseconds < 1) throw usageError(context.text.usage.notAPolicy(value));
  return { kind, milliseconds, afterwards };
}

/** The same word back. */
export function formatPolicy(policy: StoragePolicy): string {
  if (policy.kind !== 'ttl') return policy.kind;
  const unit = units.find(({ length }) => policy.milliseconds % length === 0);
  const span = unit ? `${policy.milliseconds / unit.length}${unit.name}` : `${policy.milliseconds}ms`;
  return `ttl:${span}${policy.afterwards === 'delete' ? ':delete' : ''}`;
}

const units = [
  { name: 'd', length: 24 * 60 * 60 * 1000 },
  { name: 'h', length: 60 * 60 * 1000 },
  { name: 'm', length: 60 * 1000 },
  { name: 's', length: 1000 },
];
