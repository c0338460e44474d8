// To version 1.0, from files that say no version: messages and task at the top, no metadata, times perhaps as numbers.
import type { JsonObject } from '../../base/json.ts';
import { type EnvelopeUpgrade, isObject } from '../envelope.ts';

export const upgradeTo1: EnvelopeUpgrade = {
  version: '1.0',
  apply(document, fail): JsonObject {
    const { messages, teamTask, context, metadata, createdAt, updatedAt, ...rest } = document;
    const inside = isObject(context) ? context : { teamTask: teamTask ?? null, messages: messages ?? null };
    if (!Array.isArray(inside.messages)) throw fail('it has no messages');
    const updated = toIso(updatedAt) ?? toIso(createdAt);
    const created = toIso(createdAt) ?? updated;
    if (created === undefined || updated === undefined) throw fail('it does not say when it was saved');
    return {
      ...rest,
      createdAt: created,
      updatedAt: updated,
      context: inside,
      metadata: { ...(isObject(metadata) ? metadata : {}), messageCount: inside.messages.length },
    };
  },
};

function toIso(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
