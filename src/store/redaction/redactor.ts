// Masks secrets in what is about to be stored: `[masked:rule-id]` takes the place of each. Masking twice changes nothing more.
import type { JsonValue } from '../../base/json.ts';
import { createAnchorScanner } from './anchor-scanner.ts';
import { builtinRules } from './builtin-rules.ts';
import { maskJson } from './json-masking.ts';
import { compileRules, type Finding } from './rule-set.ts';
import type { SecretRule } from './secret-rule.ts';
import { looksLikeSecret } from './secret-value.ts';

export interface Redactor {
  /** The text with every secret masked, and how many were; the same string if there were none. */
  redactText(text: string): { text: string; masked: number };
  /** The same for all strings in a value. Keys and structure stay; the same object is returned if nothing was masked. */
  redactJson<T extends JsonValue>(value: T): { value: T; masked: number };
}

/** No rule matches anything shorter. */
const shortestText = 6;
/** Masking one secret can lay another bare, seldom and never for long. */
const mostRounds = 4;
const headerName = /(?:authorization|cookie)$/i;

/** A redactor for the given rules; for the built-in ones if none are given. */
export function createRedactor(rules: readonly SecretRule[] = builtinRules): Redactor {
  const ruleSet = compileRules(rules);
  const scan = createAnchorScanner(ruleSet.anchors);

  let current = '';
  let patternsOnly = false;
  let findings: Finding[] = [];
  let resume = 0;
  const visit = (start: number, anchor: number): void => {
    if (start < resume) return;
    const found = ruleSet.findAt(current, start, anchor, patternsOnly);
    if (!found || found.start < resume) return;
    resume = found.end;
    if (!found.keep) findings.push(found);
  };

  function find(text: string, onlyPatterns: boolean): readonly Finding[] {
    current = text;
    patternsOnly = onlyPatterns;
    resume = 0;
    if (findings.length > 0) findings = [];
    scan(text, visit);
    current = '';
    return findings;
  }

  /** The id of the pattern that is this whole value, which says more than the name it was found by. */
  function preciseId(value: string, id: string): string {
    const [only] = find(value, true);
    return only && only.start === 0 && only.end === value.length ? only.id : id;
  }

  function maskFindings(text: string, found: readonly Finding[]): string {
    let masked = '';
    let done = 0;
    for (const finding of found) {
      const id = finding.named ? preciseId(text.slice(finding.start, finding.end), finding.id) : finding.id;
      masked += `${text.slice(done, finding.start)}[masked:${id}]`;
      done = finding.end;
    }
    return masked + text.slice(done);
  }

  function redactText(text: string): { text: string; masked: number } {
    if (text.length < shortestText) return { text, masked: 0 };
    let masked = 0;
    let result = text;
    for (let round = 0; round < mostRounds; round++) {
      const found = find(result, false);
      if (found.length === 0) break;
      masked += found.length;
      result = maskFindings(result, found);
    }
    return { text: result, masked };
  }

  const tellingNames = new Map<string, ReturnType<typeof ruleSet.findName>>();
  function findName(key: string): ReturnType<typeof ruleSet.findName> {
    if (tellingNames.has(key)) return tellingNames.get(key);
    if (tellingNames.size >= 2000) tellingNames.clear();
    const rule = ruleSet.findName(key);
    tellingNames.set(key, rule);
    return rule;
  }

  function redactJson<T extends JsonValue>(value: T): { value: T; masked: number } {
    let masked = 0;
    const maskString = (text: string, key: string | undefined): string => {
      if (key !== undefined && text.length >= 4) {
        const name = findName(key);
        if (name && looksLikeSecret(text, name.kind, { quoted: true, environment: false, loose: false })) {
          masked++;
          return `[masked:${preciseId(text, name.id)}]`;
        }
        if (headerName.test(key)) return maskHeader(text, key);
      }
      const clean = redactText(text);
      masked += clean.masked;
      return clean.text;
    };
    const maskHeader = (text: string, key: string): string => {
      const clean = redactText(`${key}: ${text}`);
      masked += clean.masked;
      return clean.masked > 0 ? clean.text.slice(key.length + 2) : text;
    };
    return { value: maskJson(value, maskString) as T, masked };
  }

  return { redactText, redactJson };
}
