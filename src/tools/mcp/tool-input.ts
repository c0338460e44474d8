// The part of a schema that can be held against an input without trusting the one who wrote it (a pattern may take for ever):
// an object, with what is required, of the right kinds. The server judges the rest.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { ContinuoError } from '../../model/error.ts';

/** The input as an object, or `invalid-input`. */
export function requireToolInput(tool: string, schema: JsonObject, input: JsonValue): JsonObject {
  const refuse = (reason: string): never => {
    throw new ContinuoError('invalid-input', { what: `input of ${tool}`, reason });
  };
  if (!isObject(input)) return refuse('it must be an object');
  for (const name of asList(schema.required)) {
    if (typeof name === 'string' && !Object.hasOwn(input, name)) refuse(`"${name}" is missing`);
  }
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const types = isObject(property) ? asList(property.type).filter((type) => typeof type === 'string') : [];
    if (types.length > 0 && !types.some((type) => isOfType(value, type)))
      refuse(`"${name}" must be of type ${types.join(' or ')}`);
  }
  return input;
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isObject(value);
  if (['string', 'number', 'boolean'].includes(type)) return typeof value === type;
  return true;
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
