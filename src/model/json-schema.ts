// Free-form JSON as a schema: bounded, so that no input can keep the check from ending.
import * as z from 'zod';
import { findJsonFault, type JsonObject, type JsonValue } from '../base/json.ts';

export const jsonSchema: z.ZodType<JsonValue> = z.custom<JsonValue>().check(refuseFaults);

export const jsonObjectSchema: z.ZodType<JsonObject> = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'it must be an object')
  .check(refuseFaults);

function refuseFaults(context: z.core.ParsePayload): void {
  const fault = findJsonFault(context.value);
  if (fault !== undefined) context.issues.push({ code: 'custom', message: fault, input: context.value });
}
