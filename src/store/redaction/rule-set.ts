// Rules made ready for use: which of them to try at which anchor, and what each finds there.
import { compileName, compileNamed, readNamedValue } from './named-value.ts';
import { isNameRule, type NameRule, type PatternRule, type SecretRule, type ValueKind } from './secret-rule.ts';
import { entropyOf, isPlaceholder, looksLikeSecret, sampleLength } from './secret-value.ts';

/** A secret that was found, as a range of the text. */
export interface Finding {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** Known by its name only: a pattern may know better what it is. */
  readonly named: boolean;
  /** To be left as it is. */
  readonly keep: boolean;
}

type Matcher = (text: string, anchorStart: number) => Finding | undefined;

export interface RuleSet {
  readonly anchors: readonly string[];
  /** The longest finding of the rules that share the anchor. */
  readonly findAt: (text: string, start: number, anchor: number, patternsOnly: boolean) => Finding | undefined;
  /** The rule for a value under this key, if the key is a telling name. */
  readonly findName: (key: string) => { id: string; kind: ValueKind } | undefined;
}

export function compileRules(rules: readonly SecretRule[]): RuleSet {
  const byAnchor = groupByAnchor(rules.map((rule) => ({ rule, match: isNameRule(rule) ? matchName(rule) : matchPattern(rule) })));
  const groups = [...byAnchor.values()];
  const names = rules.filter(isNameRule).map((rule) => ({ pattern: compileName(rule.name), id: rule.id, kind: rule.value }));

  return {
    anchors: [...byAnchor.keys()],
    findAt(text, start, anchor, patternsOnly) {
      let best: Finding | undefined;
      for (const { rule, match } of groups[anchor] as Compiled[]) {
        if (patternsOnly && isNameRule(rule)) continue;
        const found = match(text, start);
        // Of two equally long ones the later, whose anchor is the more specific.
        if (found && (!best || found.end >= best.end)) best = found;
      }
      return best;
    },
    findName: (key) => names.find(({ pattern }) => pattern.test(key)),
  };
}

interface Compiled {
  readonly rule: SecretRule;
  readonly match: Matcher;
}

/** Under each anchor the rules with an anchor that begins with it; so one place in a text is looked at once. */
function groupByAnchor(compiled: readonly Compiled[]): Map<string, Compiled[]> {
  const entries = compiled.flatMap((entry) => entry.rule.anchors.map((anchor) => ({ anchor: anchor.toLowerCase(), entry })));
  entries.sort((one, other) => (one.anchor < other.anchor ? -1 : Number(one.anchor > other.anchor)));
  const groups = new Map<string, Compiled[]>();
  let current: string | undefined;
  for (const { anchor, entry } of entries) {
    if (current === undefined || !anchor.startsWith(current)) current = anchor;
    const group = groups.get(current) ?? [];
    if (!group.includes(entry)) groups.set(current, [...group, entry]);
  }
  return groups;
}

function matchName(rule: NameRule): Matcher {
  let pattern: RegExp | undefined;
  return (text, start) => {
    pattern ??= compileNamed(rule.name);
    pattern.lastIndex = start;
    const joined = pattern.exec(text);
    const value = joined && readNamedValue(text, joined);
    if (!value || !looksLikeSecret(text.slice(value.start, value.end), rule.value, value.context)) return undefined;
    const end = value.context.quoted ? value.end : wholeEnd(text, value.start, value.end);
    return { id: rule.id, start: value.start, end, named: true, keep: false };
  };
}

function matchPattern(rule: PatternRule): Matcher {
  const lead = rule.lead ?? 0;
  const grouped = rule.pattern.includes('(?<secret>');
  const opensWord = /^\w/.test(rule.anchors[0] ?? '') && lead === 0;
  let pattern: RegExp | undefined;
  let allow: RegExp | undefined;
  return (text, start) => {
    pattern ??= new RegExp(rule.pattern, `y${grouped ? 'd' : ''}${rule.ignoreCase ? 'i' : ''}`);
    if (start < lead || (opensWord && !isWordStart(text, start))) return undefined;
    pattern.lastIndex = start - lead;
    const match = pattern.exec(text);
    if (!match) return undefined;
    const range = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length];
    const [from, to] = range as [number, number];
    if (rule.keep) return { id: rule.id, start: from, end: to, named: false, keep: true };
    const secret = text.slice(from, to);
    if (rule.allow) allow ??= new RegExp(rule.allow.join('|'));
    if (allow?.test(secret) || !isLikely(secret, rule, grouped)) return undefined;
    return { id: rule.id, start: from, end: wholeEnd(text, from, to), named: false, keep: false };
  };
}

function isLikely(whole: string, rule: PatternRule, grouped: boolean): boolean {
  const secret = whole.length > sampleLength ? whole.slice(0, sampleLength) : whole;
  if (rule.mixed && !/\d|[a-z][A-Z]|=$/.test(secret)) return false;
  if (grouped ? isPlaceholder(secret) && !isWord(secret) : /x{6}|\*{4}/i.test(secret)) return false;
  return rule.entropy === undefined || entropyOf(secret) >= rule.entropy;
}

/** In an address or after a flag, a plain word such as `postgres` or `password` is what it says. */
function isWord(secret: string): boolean {
  return /^[a-z]+\d*$/.test(secret) && !/^(.)\1+$/.test(secret);
}

/** Patterns are bounded; what hangs on to the end of a long secret belongs to it. */
function wholeEnd(text: string, start: number, end: number): number {
  const rest = end - start >= 100 ? longRest : shortRest;
  rest.lastIndex = end;
  return end + (rest.exec(text)?.[0].length ?? 0);
}

const shortRest = /[A-Za-z0-9]*/y;
const longRest = /[\w.~+/=%-]*/y;

/** No letter or digit before it, other than those of an escape: `\n`, `\u003d`, `%3D` or a terminal's colour. */
function isWordStart(text: string, at: number): boolean {
  return at === 0 || !isAlphanumeric(text.charCodeAt(at - 1)) || escapeBefore.test(text.slice(Math.max(0, at - 18), at));
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
}

const escapeBefore = /\\[nrtbfv0]$|\\u[0-9a-f]{4}$|\\x[0-9a-f]{2}$|%[0-9a-f]{2}$|(?:\p{Cc}|\\e|\\033|\\x1b|\\u001b)\[[0-9;]*m$/iu;
