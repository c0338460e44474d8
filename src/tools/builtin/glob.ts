// Glob patterns for paths with forward slashes: * and ? within a name, ** over folders, [abc], [!abc], {a,b}. A pattern without a
// slash fits a file's name at any depth. Linear in what it matches: every star becomes a class that cannot cross a slash.
import { ContinuoError } from '../../model/error.ts';

/** A test for paths; `invalid-input` where the pattern is not one. */
export function createGlobFilter(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern.replace(/^\.\//, ''), pattern);
  const parts = alternatives.map((alternative) => {
    const anchored = alternative.startsWith('/') ? alternative.slice(1) : alternative;
    const names = (alternative.includes('/') ? anchored : `**/${anchored}`).split('/');
    return names.filter((name, i) => !(name === '**' && names[i - 1] === '**')).map(compileName);
  });
  return (path) => {
    const names = path.split('/');
    return parts.some((part) => fits(part, names));
  };
}

/** One name of the pattern: any number of folders, or a test for a single name. */
type NameTest = '**' | ((name: string) => boolean);

/** Goes through both lists once for every place a `**` could end: bounded by their product. */
function fits(tests: readonly NameTest[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const [i, test] of tests.entries()) {
    const next = new Set<number>();
    for (const at of reached) {
      if (test === '**') {
        // At the end it stands for everything below, so for at least one name.
        const first = i === tests.length - 1 ? at + 1 : at;
        for (let end = first; end <= names.length; end++) next.add(end);
      } else if (at < names.length && test(names[at] as string)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(names.length);
}

function compileName(name: string): NameTest {
  if (name === '**') return '**';
  const pieces = toSources(name);
  if (pieces.length === 1) return createTest(`^${pieces[0]}$`);
  // Star by star from the left, each as short as can be: nothing is ever tried twice.
  const [first, ...rest] = pieces;
  const last = rest.pop() as string;
  const start = new RegExp(`^${first}`, 'su');
  const middle = rest.map((source) => new RegExp(source, 'gsu'));
  const end = createTest(`${last}$`);
  return (text) => {
    const head = start.exec(text);
    if (!head) return false;
    let at = head[0].length;
    for (const piece of middle) {
      piece.lastIndex = at;
      if (!piece.test(text)) return false;
      at = piece.lastIndex;
    }
    return end(text.slice(at));
  };
}

function createTest(source: string): (text: string) => boolean {
  const expression = new RegExp(source, 'su');
  return (text) => expression.test(text);
}

/** The pieces between stars, each as the source of a regular expression: question marks, classes, escapes and plain characters. */
function toSources(name: string): string[] {
  const sources = [''];
  const add = (source: string) => {
    sources[sources.length - 1] += source;
  };
  const characters = [...name];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string;
    const close = character === '[' ? characters.indexOf(']', i + 2) : -1;
    if (character === '*') sources.push('');
    else if (character === '?') add('.');
    else if (close > 0) {
      const inner = characters.slice(i + 1, close).join('');
      const negated = inner.startsWith('!') || inner.startsWith('^');
      add(`[${negated ? '^' : ''}${(negated ? inner.slice(1) : inner).replace(/[\\\]^[]/g, '\\$&')}]`);
      i = close;
    } else if (character === '\\' && i + 1 < characters.length) {
      i += 1;
      add(escapePattern(characters[i] as string));
    } else add(escapePattern(character));
  }
  return sources;
}

const maxAlternatives = 256;

function expandBraces(pattern: string, whole: string): string[] {
  const open = pattern.indexOf('{');
  const close = open < 0 ? -1 : findClose(pattern, open);
  if (close < 0) return [pattern];
  const [before, after] = [pattern.slice(0, open), pattern.slice(close + 1)];
  const choices = splitChoices(pattern.slice(open + 1, close));
  const expanded = choices.flatMap((choice) => expandBraces(`${before}${choice}${after}`, whole));
  if (expanded.length > maxAlternatives) {
    throw new ContinuoError('invalid-input', { what: `glob ${whole}`, reason: 'its braces stand for too many patterns' });
  }
  return expanded;
}

function findClose(pattern: string, open: number): number {
  let depth = 0;
  for (let i = open; i < pattern.length; i++) {
    if (pattern[i] === '{') depth += 1;
    else if (pattern[i] === '}') {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}

function splitChoices(inner: string): string[] {
  const choices: string[] = [''];
  let depth = 0;
  for (const character of inner) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth === 0) choices.push('');
    else choices[choices.length - 1] += character;
  }
  return choices;
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
