// Whether a state comes back from JSON as it went in. What JSON would drop or change in silence (functions, NaN, a Map, undefined in a
// list) is a fault with its place; a property that is undefined may go, because reading it gives undefined again.

export interface StateFault {
  /** Such as `messages[3].when`. */
  place: string;
  reason: string;
}

export interface StateMeasure {
  /** Characters of text and values, roughly. */
  size: number;
  values: number;
  /** It has its own way to become JSON, which decides. */
  converts: boolean;
}

/** Deeper than anything meant to be read, and shallow enough for every reader. */
export const deepestState = 500;
const mostValues = 5_000_000;
const longestPlace = 120;

/** Bounded in depth and size, so that an object that contains itself is told from a large one. */
export function findStateFault(value: unknown, measure: StateMeasure, depth = 0): StateFault | undefined {
  measure.values += 1;
  if (measure.values > mostValues) return { place: '', reason: `it holds more than ${mostValues} values` };
  if (typeof value === 'string') {
    measure.size += value.length;
    return undefined;
  }
  measure.size += 8;
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : { place: '', reason: `${value} is not a JSON number` };
  }
  if (typeof value !== 'object') return { place: '', reason: `${typeof value} is not a JSON value` };
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    measure.converts = true;
    return undefined;
  }
  if (depth >= deepestState) return { place: '', reason: `it is nested deeper than ${deepestState} levels, or contains itself` };
  return Array.isArray(value) ? findInList(value, measure, depth) : findInObject(value, measure, depth);
}

function findInList(list: unknown[], measure: StateMeasure, depth: number): StateFault | undefined {
  for (let index = 0; index < list.length; index++) {
    const fault = findStateFault(list[index], measure, depth + 1);
    if (fault) return within(`[${index}]`, fault);
  }
  return undefined;
}

function findInObject(object: object, measure: StateMeasure, depth: number): StateFault | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && prototype !== Object.prototype) {
    return { place: '', reason: `an instance of ${object.constructor?.name ?? 'a class'} is not a JSON value` };
  }
  for (const key of Object.keys(object)) {
    // It would be written, and every reader would refuse it.
    if (key === '__proto__') return { place: '', reason: 'it has a key "__proto__"' };
    measure.size += key.length;
    const child = (object as Record<string, unknown>)[key];
    const fault = child === undefined ? undefined : findStateFault(child, measure, depth + 1);
    if (fault) return within(/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`, fault);
  }
  return undefined;
}

function within(step: string, { place, reason }: StateFault): StateFault {
  const whole = step + place;
  // Hundreds of steps help nobody.
  return { place: whole.length > longestPlace ? `${whole.slice(0, longestPlace - 1)}…` : whole, reason };
}
