// Masks values that are known to be secret, wherever they stand in a state: in texts and in keys.
import type { JsonObject, JsonValue } from '../base/json.ts';

export interface ExactSecrets {
  /** Whether the JSON text may hold one. */
  mayStandIn(json: string): boolean;
  mask(value: JsonValue): { value: JsonValue; masked: number };
}

/** What is shorter stands in ordinary text by chance. */
const shortestSecret = 6;
const maskOfValue = '[masked:known-secret]';

/** Undefined where there is nothing to look for. */
export function createExactSecrets(values: readonly string[]): ExactSecrets | undefined {
  const secrets = [...new Set(values.filter((value) => value.trim().length >= shortestSecret))];
  if (secrets.length === 0) return undefined;
  // The longest first: one may be part of another.
  secrets.sort((one, other) => other.length - one.length);
  const inJson = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  const pattern = new RegExp(secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');

  return {
    mayStandIn: (json) => inJson.some((secret) => json.includes(secret)),
    mask(value) {
      let masked = 0;
      const maskText = (text: string): string =>
        text.replace(pattern, () => {
          masked += 1;
          return maskOfValue;
        });
      // The depth was checked before: see findStateFault.
      const visit = (item: JsonValue): JsonValue => {
        if (typeof item === 'string') return maskText(item);
        if (Array.isArray(item)) return item.map(visit);
        if (typeof item !== 'object' || item === null) return item;
        const copy: JsonObject = {};
        for (const [key, child] of Object.entries(item)) copy[maskText(key)] = visit(child);
        return copy;
      };
      return { value: visit(value), masked };
    },
  };
}
