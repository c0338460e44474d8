// Masks secrets in whatever is about to be written to a file.
import type { JsonValue } from '../../base/json.ts';

export interface Redactor {
  /** The text with every secret masked, and how many were; the same string if there were none. */
  redactText(text: string): { text: string; masked: number };
  /** The same for all strings in a value. Keys and structure stay; the same object is returned if nothing was masked. */
  redactJson<T extends JsonValue>(value: T): { value: T; masked: number };
}
