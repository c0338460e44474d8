// Masks secrets in what is about to be stored: `[masked:rule-id]` takes the place of each. Masking twice changes nothing more.
import type { JsonValue } from '../../base/json.ts';
import type { Redactor } from '../../model/ports/redactor.ts';
import { builtinRules } from './builtin-rules.ts';
import { maskJson } from './json-masking.ts';
import type { Finding } from './rule-set.ts';
import { createSecretFinder, type SecretFinder } from './secret-finder.ts';
import type { SecretRule } from './secret-rule.ts';
import { looksLikeSecret } from './secret-value.ts';

export type { Redactor } from '../../model/ports/redactor.ts';

/** No rule matches anything shorter. */
const shortestText = 6;
/** Masking one secret can lay another bare, seldom and never for long. */
const mostRounds = 8;
const headerName = /(?:authorization|cookie)$/i;
const ownValue = { quoted: true, environment: false, loose: false };

/** A redactor for the given rules; for the built-in ones if none are given. Rules are made ready when the first text comes. */
export function createRedactor(rules: readonly SecretRule[] = builtinRules): Redactor {
  let finder: SecretFinder | undefined;

  function redactText(text: string): { text: string; masked: number } {
    if (text.length < shortestText) return { text, masked: 0 };
    finder ??= createSecretFinder(rules);
    let masked = 0;
    let result = text;
    for (let round = 0; round < mostRounds; round++) {
      const findings = finder.find(result);
      if (findings.length === 0) break;
      masked += findings.length;
      result = maskFindings(result, findings, finder);
    }
    return { text: result, masked };
  }

  function redactJson<T extends JsonValue>(value: T): { value: T; masked: number } {
    finder ??= createSecretFinder(rules);
    const { nameOf, whatIs } = finder;
    let masked = 0;
    const result = maskJson(value, (text, key) => {
      const name = key === undefined ? undefined : nameOf(key);
      if (name && looksLikeSecret(text, name.kind, ownValue)) {
        masked++;
        return mask(whatIs(text) ?? name.id);
      }
      // A header says what it is by its name, and its rules want to see it.
      const head = key !== undefined && headerName.test(key) ? `${key}: ` : '';
      const clean = redactText(head + text);
      masked += clean.masked;
      return clean.masked > 0 ? clean.text.slice(head.length) : text;
    });
    return { value: result as T, masked };
  }

  return { redactText, redactJson };
}

function maskFindings(text: string, findings: readonly Finding[], finder: SecretFinder): string {
  let masked = '';
  let done = 0;
  for (const { id, start, end, named } of findings) {
    masked += text.slice(done, start) + mask((named ? finder.whatIs(text.slice(start, end)) : undefined) ?? id);
    done = end;
  }
  return masked + text.slice(done);
}

function mask(id: string): string {
  return `[masked:${id}]`;
}
