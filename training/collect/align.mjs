/** Alignment of a document with its translation, block by block; what is not sure is left out. */
import { isLikelyPair } from './text.mjs';

const LATIN_TOKEN = /[A-Za-z][\w.-]{2,}|\d+/g;
const BIGGEST = 60_000;

const withTokens = (blocks) =>
  blocks
    .filter((block) => block.kind !== 'code')
    .map((block) => ({ ...block, tokens: block.text.toLowerCase().match(LATIN_TOKEN) ?? [] }));

/** How likely two blocks are translations: by length and by the Latin words and numbers the translation keeps. */
function likeness(en, other, language, strict) {
  if (en.kind !== other.kind || en.depth !== other.depth) {
    return -1;
  }
  const ratio = other.text.length / en.text.length;
  const fits = ratio > 0.2 && ratio < (language === 'zh' ? 0.9 : 1.2);
  const shared = other.tokens.filter((token) => en.tokens.includes(token)).length;
  const kept = other.tokens.length === 0 ? 0 : shared / other.tokens.length;
  const sure = strict ? fits && shared >= 2 && kept >= 0.7 : (fits ? 1 : 0) + (other.tokens.length ? kept * 2 - 1 : 0) > 0.4;
  return sure && isLikelyPair(en.text, other.text, language) ? 1 + kept + Math.min(shared, 5) / 5 : -1;
}

function sections(blocks) {
  const all = [[]];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      all.push([]);
    }
    all.at(-1).push(block);
  }
  return all;
}

/** The best alignment in order of blocks that differ in number: only those that share words which are not translated. */
function inOrder(left, right, language) {
  if (left.length * right.length > BIGGEST) {
    return [];
  }
  const width = right.length + 1;
  const best = new Float64Array((left.length + 1) * width);
  const score = (i, j) => likeness(left[i], right[j], language, true);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const here = score(i, j);
      const taken = here > 0 ? here + best[(i + 1) * width + j + 1] : 0;
      best[i * width + j] = Math.max(taken, best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const out = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (best[i * width + j] === best[(i + 1) * width + j]) {
      i++;
    } else if (best[i * width + j] === best[i * width + j + 1]) {
      j++;
    } else {
      out.push([left[i++], right[j++]]);
    }
  }
  return out;
}

/** Pairs of block texts: one by one in sections of equal length, else in order and only where the match is strict. */
export function alignBlocks(en, other, language) {
  const left = withTokens(en);
  const right = withTokens(other);
  const leftSections = sections(left);
  const rightSections = sections(right);
  const found =
    leftSections.length === rightSections.length
      ? leftSections.flatMap((section, at) =>
          section.length === rightSections[at].length
            ? section
                .map((block, index) => [block, rightSections[at][index]])
                .filter((pair) => likeness(...pair, language, false) > 0)
            : inOrder(section, rightSections[at], language),
        )
      : inOrder(left, right, language);
  return found.map(([from, to]) => ({ en: from.text, [language]: to.text }));
}
