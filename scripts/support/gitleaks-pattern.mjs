// Turns gitleaks' regular expressions (Go's RE2) into JavaScript's, and finds the literals with which their matches can begin.

/** The longest repetition kept: without a bound, hostile text could make a rule slow. What is longer is masked all the same. */
const longestRepetition = 300;
const longestAnchor = 10;
const mostAnchors = 64;

/** Only the secret itself stays in the pattern: what Go writes around it for want of look-around becomes a look-ahead or falls away. */
export function toJavaScript(regex) {
  let pattern = regex;
  const ignoreCase = pattern.startsWith('(?i)');
  if (ignoreCase) pattern = pattern.slice('(?i)'.length);
  pattern = withoutInlineFlags(pattern)
    .replace(/\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)$/, '(?![A-Za-z0-9])')
    .replace(/\(\?:\[\^[^\]]*\]\|\\z\)$/, '(?![A-Za-z0-9])')
    .replace(/\(\?:\$\|\[\\\\'"\\x60\\s<\),\]\)$/, '(?![A-Za-z0-9])')
    .replace(/^\(\?:\^\|\[\\\\'"\\x60\\s>=:\(,\)\]\)/, '')
    .replace(/^\\b/, '')
    .replace(/\(\?P<\w+>/g, '(?:')
    .replace(/\((?!\?)/g, '(?:');
  return { pattern: withoutIdleGroups(bounded(pattern)), ignoreCase };
}

/** Node 20 knows no flags inside a pattern: classes after `(?i)` get both cases. */
function withoutInlineFlags(regex) {
  const pattern = regex.replaceAll('(?-i:', '(?:');
  const from = pattern.search(/\(\?i[:)]/);
  if (from < 0) return pattern;
  return pattern.slice(0, from) + bothCases(pattern.slice(from).replaceAll('(?i)', '').replaceAll('(?i:', '(?:'));
}

function bothCases(pattern) {
  return pattern.replace(
    /\[([^\]]*)\]/g,
    (_, members) => `[${members.replace(/a-([a-z])/g, (range, last) => `${range}A-${last.toUpperCase()}`)}]`,
  );
}

function bounded(pattern) {
  return pattern
    .replace(/\{(\d+),\}/g, (_, least) => `{${least},${Number(least) + longestRepetition}}`)
    .replace(/(?<=\]|\\d)\*/g, `{0,${longestRepetition}}`)
    .replace(/(?<=\]|\\d)\+/g, `{1,${longestRepetition}}`);
}

/** Takes away a group around everything but the closing look-ahead, which only marked the secret. */
function withoutIdleGroups(pattern) {
  const tail = pattern.endsWith('(?![A-Za-z0-9])') ? '(?![A-Za-z0-9])' : pattern.endsWith('\\b') ? '\\b' : '';
  const body = pattern.slice(0, pattern.length - tail.length);
  if (!body.startsWith('(?:') || closingOf(body, 0) !== body.length - 1 || hasAlternatives(body.slice(3, -1))) return pattern;
  return withoutIdleGroups(body.slice(3, -1) + tail);
}

function hasAlternatives(pattern) {
  return alternatives(pattern).length > 1;
}

/** Every literal with which a match can begin, cut to a handy length, or to what they share where that says enough. */
export function leadingLiterals(pattern) {
  const found = openings(pattern).map((opening) => opening.text);
  for (let length = longestAnchor; length >= 4; length--) {
    const cut = new Set(found.map((text) => text.slice(0, length)));
    if (length === longestAnchor ? cut.size <= 6 : cut.size === 1) return [...cut];
  }
  return [...new Set(found)];
}

/** `open` says that the literal may go on with what follows the pattern. */
function openings(pattern) {
  return alternatives(pattern).flatMap((alternative) => {
    let heads = [{ text: '', open: true }];
    for (const part of parts(alternative)) {
      // A class is spelled out only where the literals would be too short without it.
      if (
        part.atom.length > 1 &&
        !part.atom.startsWith('(?:') &&
        !/^\\\W$/.test(part.atom) &&
        heads.every((head) => head.text.length >= 3)
      )
        return heads;
      const choices = choicesOf(part);
      const next =
        choices &&
        heads.flatMap((head) => (head.open ? choices.map((c) => ({ text: head.text + c.text, open: c.open })) : [head]));
      if (!next || next.length > mostAnchors) return heads;
      heads = next;
      if (heads.every((head) => !head.open || head.text.length >= longestAnchor)) return heads;
    }
    return heads;
  });
}

/** The texts one part can stand for; undefined where that cannot be listed. */
function choicesOf({ atom, quantifier }) {
  const least = quantifier === '' ? 1 : Number(/^\{(\d+)/.exec(quantifier)?.[1] ?? 0);
  if (least === 0) return undefined;
  const once = atom.startsWith('(?:') ? openings(atom.slice(3, -1)) : membersOf(atom)?.map((text) => ({ text, open: true }));
  return quantifier === '' ? once : once?.map((choice) => ({ ...choice, open: false }));
}

function membersOf(atom) {
  if (atom === '\\d') return [...'0123456789'];
  if (/^\\[^\w]$/.test(atom)) return [atom[1]];
  if (/^[\w\-~<=" :/]$/.test(atom)) return [atom];
  if (!/^\[[\w-]+\]$/.test(atom)) return undefined;
  const members = new Set();
  for (const [, first, last] of atom.slice(1, -1).matchAll(/(\w)(?:-(\w))?/g)) {
    for (let code = first.charCodeAt(0); code <= (last ?? first).charCodeAt(0); code++) members.add(String.fromCharCode(code));
  }
  return members.size <= 36 ? [...members] : undefined;
}

function alternatives(pattern) {
  const found = [''];
  for (const { atom, quantifier } of parts(pattern)) {
    if (atom === '|') found.push('');
    else found[found.length - 1] += atom + quantifier;
  }
  return found;
}

function* parts(pattern) {
  let at = 0;
  while (at < pattern.length) {
    const end =
      pattern[at] === '('
        ? closingOf(pattern, at)
        : pattern[at] === '['
          ? pattern.indexOf(']', at + 2)
          : at + Number(pattern[at] === '\\');
    const atom = pattern.slice(at, end + 1);
    const quantifier = /^(?:\{\d+(?:,\d*)?\}|[*+?])\??/.exec(pattern.slice(end + 1))?.[0] ?? '';
    at = end + 1 + quantifier.length;
    yield { atom, quantifier };
  }
}

function closingOf(pattern, open) {
  let depth = 0;
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[') at = pattern.indexOf(']', at + 2);
    else if (pattern[at] === '(') depth++;
    else if (pattern[at] === ')' && --depth === 0) return at;
  }
  throw new Error(`unbalanced group in ${pattern}`);
}
