// Finds the secrets in a text: one pass over it, with the rules looking only where one of their anchors stands.
import { createAnchorScanner } from './anchor-scanner.ts';
import { compileRules, type Finding } from './rule-set.ts';
import type { SecretRule, ValueKind } from './secret-rule.ts';

export interface SecretFinder {
  /** In the order of the text, without overlap. */
  find(text: string): readonly Finding[];
  /** The id of the pattern that takes in the whole value. */
  whatIs(value: string): string | undefined;
  /** What a value under this key would be, if the key is a telling name. */
  nameOf(key: string): { readonly id: string; readonly kind: ValueKind } | undefined;
}

const mostNames = 2000;

export function createSecretFinder(rules: readonly SecretRule[]): SecretFinder {
  const { anchors, findAt, findName } = compileRules(rules);
  const scan = createAnchorScanner(anchors);

  // What the scan under way works on. Scans are synchronous and never begin inside one another.
  let text = '';
  let patternsOnly = false;
  let findings: Finding[] = [];
  let done = 0;
  const visit = (start: number, anchor: number): void => {
    if (start < done) return;
    const found = findAt(text, start, anchor, patternsOnly);
    if (!found || found.start < done) return;
    done = found.end;
    if (!found.keep) findings.push(found);
  };

  function collect(source: string, onlyPatterns: boolean): readonly Finding[] {
    text = source;
    patternsOnly = onlyPatterns;
    if (findings.length > 0) findings = [];
    done = 0;
    scan(source, visit);
    text = '';
    return findings;
  }

  const names = new Map<string, ReturnType<typeof findName>>();
  function nameOf(key: string): ReturnType<typeof findName> {
    const known = names.get(key);
    if (known || names.has(key)) return known;
    // Keys repeat; where they do not, they must not pile up.
    if (names.size >= mostNames) names.clear();
    const name = findName(key);
    names.set(key, name);
    return name;
  }

  return {
    find: (source) => collect(source, false),
    whatIs(value) {
      const [only] = collect(value, true);
      return only && only.start === 0 && only.end === value.length ? only.id : undefined;
    },
    nameOf,
  };
}
