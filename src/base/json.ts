// The JSON value types used wherever free-form data is accepted, and the check that a value is one.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Deeper than anything meant to be read, and shallow enough for every parser. */
const maxDepth = 500;
const maxValues = 5_000_000;

/**
 * Why the value is not JSON; undefined where it is. Bounded in depth and size, so that an object that contains itself is told from a
 * large one without following it for ever.
 */
export function findJsonFault(value: unknown): string | undefined {
  let values = 0;
  const visit = (item: unknown, depth: number): string | undefined => {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return undefined;
    if (typeof item === 'number') return Number.isFinite(item) ? undefined : `${item} is not a JSON number`;
    if (typeof item !== 'object') return `${typeof item} is not a JSON value`;
    if (depth >= maxDepth) return `it is nested deeper than ${maxDepth} levels, or contains itself`;
    const isArray = Array.isArray(item);
    if (!isArray && !isPlainObject(item)) return `an instance of ${item.constructor?.name ?? 'a class'} is not a JSON value`;
    for (const child of isArray ? item : Object.values(item)) {
      values += 1;
      if (values > maxValues) return `it holds more than ${maxValues} values`;
      const fault = visit(child, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  return visit(value, 0);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
