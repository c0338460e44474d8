// Standing rules for what may be done without asking, written by a person: `git status`, `write_file src`, `mcp github create_issue`.
// A rule is a list of words and speaks for every need that begins with them, word by word. Invariant: a command that runs whatever
// its arguments say is allowed only by a rule that names it word for word to its end.
import { parseShell } from '../../exec/shell/parse-shell.ts';
import { runsOtherText } from '../../exec/shell/runs-other-text.ts';
import { ContinuoError } from '../../model/error.ts';
import { hasRiskyOption } from './risky-option.ts';

/** Words from the general to the particular. */
export type Words = readonly string[];

const fileVerbs = new Set(['read_file', 'write_file']);

/** The words of a rule as a person writes it; `invalid-input` where the text is anything but one simple command. */
export function parseRule(text: string): string[] {
  const parsed = parseShell(text);
  const [command, ...others] = 'opaque' in parsed ? [] : parsed.commands;
  if (!command || others.length > 0 || ('expands' in parsed && parsed.expands)) {
    const reason = 'it must be one simple command, without operators, expansions or redirections';
    throw new ContinuoError('invalid-input', { what: 'approval rule', reason, rule: text });
  }
  return splitPaths(command);
}

/** Whether words that somebody allowed speak for the need. `exact`: for it alone, not for what begins with it. */
export function allows(words: Words, need: Words, exact = false): boolean {
  if (words.length === 0 || !beginsWith(need, words)) return false;
  if (need.length === words.length) return true;
  return !exact && !runsOtherText(words) && !runsOtherText(need) && !hasRiskyOption(need);
}

/** Whether words that somebody forbade speak for the need. A program is meant wherever it lies: `rm` is also `/bin/rm`. */
export function forbids(words: Words, need: Words): boolean {
  if (words.length === 0) return false;
  const [program = '', ...rest] = need;
  return beginsWith(need, words) || beginsWith([program.slice(program.lastIndexOf('/') + 1), ...rest], words);
}

export interface RuleTexts {
  allow?: readonly string[];
  deny?: readonly string[];
}

export class ApprovalRules {
  readonly #allow: readonly Words[];
  readonly #deny: readonly Words[];

  constructor({ allow = [], deny = [] }: RuleTexts = {}) {
    this.#allow = allow.map(parseRule);
    this.#deny = deny.map(parseRule);
  }

  allow(need: Words): boolean {
    return !this.deny(need) && this.#allow.some((words) => allows(words, need));
  }

  deny(need: Words): boolean {
    return this.#deny.some((words) => forbids(words, need));
  }
}

/** Needs about files have a word for each folder: `write_file src/lib` is written, `write_file src lib` is meant. */
function splitPaths([verb = '', ...paths]: Words): string[] {
  if (!fileVerbs.has(verb)) return [verb, ...paths];
  const segments = paths.flatMap((path) => path.split('/')).filter((segment) => segment !== '' && segment !== '.');
  return [verb, ...segments];
}

function beginsWith(need: Words, words: Words): boolean {
  return words.length <= need.length && words.every((word, i) => word === need[i]);
}
