// The one error class. A code is stable and documented in docs/errors.md; the sentence says what happened and what to do next.
import type { JsonValue } from '../base/json.ts';
import { type ErrorCode, errorMessages } from './error-codes.ts';

export type ErrorDetails = Readonly<Record<string, JsonValue | undefined>>;

export class ContinuoError extends Error {
  override readonly name = 'ContinuoError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(fillTemplate(errorMessages[code], details), options);
    this.code = code;
    this.details = details;
  }
}

/** Whether the value is a {@link ContinuoError}, of the given code if one is named. */
export function isContinuoError(value: unknown, code?: ErrorCode): value is ContinuoError {
  return value instanceof ContinuoError && (code === undefined || value.code === code);
}

/** Puts details into `{name}` places. Doors use it with their own translated templates. */
export function fillTemplate(template: string, details: ErrorDetails): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = details[name];
    if (value === undefined) return place;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}
