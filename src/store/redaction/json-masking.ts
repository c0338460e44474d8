// Walks a JSON value of any depth without recursion and replaces strings in it. What is not touched stays the same object.
import type { JsonObject, JsonValue } from '../../base/json.ts';

/** The string to put in place of this one; the same string if it may stay. `key` is the nearest key above it, or the name given beside it. */
export type MaskString = (text: string, key: string | undefined) => string;

interface Frame {
  readonly source: JsonValue[] | JsonObject;
  /** The keys of an object; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly key: string | undefined;
  next: number;
  copy: JsonValue[] | JsonObject | undefined;
}

export function maskJson(value: JsonValue, mask: MaskString): JsonValue {
  if (typeof value === 'string') return mask(value, undefined);
  if (typeof value !== 'object' || value === null) return value;
  const stack: Frame[] = [openFrame(value, undefined)];
  for (;;) {
    const frame = stack.at(-1) as Frame;
    const count = frame.keys ? frame.keys.length : (frame.source as JsonValue[]).length;
    if (frame.next < count) {
      const place = frame.keys ? (frame.keys[frame.next] as string) : frame.next;
      const key = frame.keys ? nameOf(frame.source as JsonObject, place as string) : frame.key;
      const child = (frame.source as { [place: string | number]: JsonValue })[place] as JsonValue;
      if (typeof child === 'object' && child !== null) {
        stack.push(openFrame(child, key));
        continue;
      }
      if (typeof child === 'string') replaceChild(frame, child, mask(child, key));
      frame.next++;
      continue;
    }
    stack.pop();
    const parent = stack.at(-1);
    if (!parent) return frame.copy ?? value;
    replaceChild(parent, frame.source, frame.copy ?? frame.source);
    parent.next++;
  }
}

function openFrame(source: JsonValue[] | JsonObject, key: string | undefined): Frame {
  return { source, keys: Array.isArray(source) ? undefined : Object.keys(source), key, next: 0, copy: undefined };
}

/** Environments and headers are often lists of `{"name": "DB_PASSWORD", "value": "…"}`. */
function nameOf(source: JsonObject, key: string): string {
  if (key !== 'value') return key;
  const { name, key: named } = source;
  if (typeof name === 'string') return name;
  return typeof named === 'string' ? named : key;
}

/** Puts a new value at the frame's current place, in a copy made when the first one changes. */
function replaceChild(frame: Frame, before: JsonValue, after: JsonValue): void {
  if (after === before) return;
  frame.copy ??= Array.isArray(frame.source) ? [...frame.source] : { ...frame.source };
  const place = frame.keys ? (frame.keys[frame.next] as string) : frame.next;
  // Defined, not assigned: a key may be called __proto__.
  Object.defineProperty(frame.copy, place, { value: after, writable: true, enumerable: true, configurable: true });
}
