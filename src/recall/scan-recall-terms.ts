// What counts in a question, and how often it stands in a text. Words and the parts of identifiers for languages with spaces,
// overlapping pairs of characters for Chinese, Japanese and Korean, so that a word of two characters is always found.

export interface Term {
  text: string;
  kind: 'word' | 'pair';
  /** What may follow a word's stem for it to be the same word. */
  endings?: RegExp;
}

/** Longer questions are cut: their beginning says what they are about. */
const maxQuestion = 2000;
const maxTerms = 64;

/** The terms of a question, each once. None where it holds nothing but stop words. */
export function buildTerms(question: string): Term[] {
  const terms = new Map<string, Term>();
  for (const term of termsOf(question.slice(0, maxQuestion).normalize('NFKC'))) {
    if (terms.size < maxTerms && !terms.has(term.text)) terms.set(term.text, term);
  }
  const all = [...terms.values()];
  // A pair with a particle in it is usually no word. It counts where nothing else does: 目的.
  const telling = all.filter(({ kind, text }) => kind === 'word' || !particle.test(text));
  return telling.length > 0 ? telling : all;
}

/** A text made ready for counting; once for all terms. */
export interface SearchText {
  /** In lower case. */
  lower: string;
  /** As written, where it can be laid over the other; it tells the parts of identifiers. */
  written: string;
}

export function toSearchText(text: string): SearchText {
  const normal = text.normalize('NFKC');
  const lower = normal.toLowerCase();
  return { lower, written: lower.length === normal.length ? normal : lower };
}

const maxCount = 8;

/** How often the term stands in the text, up to a handful; `first` is where. */
export function countTerm(text: SearchText, term: Term): { count: number; first: number } {
  let count = 0;
  let first = -1;
  const { lower } = text;
  for (let at = lower.indexOf(term.text); at >= 0 && count < maxCount; at = lower.indexOf(term.text, at + 1)) {
    if (term.kind === 'word' && !isWholeWord(text, at, term)) continue;
    count += 1;
    if (first < 0) first = at;
  }
  return { count, first };
}

/** Begins where a word or a part of an identifier begins, and ends where one ends. */
function isWholeWord({ lower, written }: SearchText, at: number, term: Term): boolean {
  const before = written[at - 1] ?? ' ';
  const startsPart = !isLetter(before) || (isCapital(written[at] ?? '') && !isCapital(before));
  if (!startsPart) return false;
  const end = at + term.text.length;
  let stop = end;
  while (stop < lower.length && stop - end < 4 && isSmallLetter(written[stop] ?? '')) stop += 1;
  return (term.endings ?? noEnding).test(lower.slice(end, stop));
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
const otherWords = /[\p{L}\p{N}\p{M}_]+/gu;

function* termsOf(text: string): Generator<Term> {
  for (const [run] of text.matchAll(cjk)) yield* pairsOf(run);
  for (const [word] of text.replace(cjk, ' ').matchAll(otherWords)) {
    const parts = word
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
      .split('_')
      .filter((part) => part !== '')
      .map((part) => part.toLowerCase());
    if (parts.length > 1) yield { text: parts.join(''), kind: 'word', endings: plainEndings };
    for (const part of parts) if (!stopWords.has(part) && (part.length > 1 || /\p{N}/u.test(part))) yield toStem(part);
  }
}

function* pairsOf(run: string): Generator<Term> {
  for (const piece of run.split(chineseStopWords)) {
    const characters = [...piece];
    if (characters.length === 1 && !particle.test(piece)) yield { text: piece, kind: 'pair' };
    for (let i = 0; i + 1 < characters.length; i++) yield { text: `${characters[i]}${characters[i + 1]}`, kind: 'pair' };
  }
}

const noEnding = /^$/;
const plainEndings = /^(?:s|e|es|ed|d|er|ers|ing)?$/;
const yEndings = /^(?:y|ies)$/;

/** Light on purpose: a stem is the beginning of every form it stands for. */
function toStem(word: string): Term {
  if (!/^[a-z]+$/.test(word) || word.length < 4) return { text: word, kind: 'word', endings: /^s?$/ };
  if (/(?:y|ies)$/.test(word)) return { text: word.replace(/(?:y|ies)$/, ''), kind: 'word', endings: yEndings };
  const stem = word.replace(/(?<=...)(?:ing|ed|es|e|(?<![su])s)$/, '');
  return { text: stem.length >= 3 ? stem : word, kind: 'word', endings: plainEndings };
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{M}]/u.test(character) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character);
}

function isCapital(character: string): boolean {
  return /\p{Lu}/u.test(character);
}

function isSmallLetter(character: string): boolean {
  return isLetter(character) && !isCapital(character);
}

const particle = /[的了吗呢吧啊呀么是我你他她它们这那]/;

/** Longest first, so that 为什么 does not leave 为 behind. */
const chineseStopWords =
  /为什么|有没有|是不是|能不能|可不可以|怎么样|什么时候|我们|你们|他们|她们|咱们|什么|怎么|怎样|如何|哪里|哪儿|哪个|哪些|那个|这个|这些|那些|之前|以前|上次|上回|刚才|刚刚|记得|记不记得|说过|聊过|聊到|说到|讨论过|提过|提到|告诉|一下|可以|是否|关于|请问|一个|没有|还是|或者|以及|因为|所以|但是|如果|时候|现在|已经|继续|接着/;

const stopWords = new Set(
  [
    'a an the and or but nor of to in on at by for with from as into over about than then so if is are was were be been being am',
    'do does did done have has had having i you he she it we they me him her us them my your his its our their this that these those',
    'what which who whom whose when where why how can could would should will shall may might must not no yes please tell show give',
    'there here just any some all again before after earlier last previous previously ago ever already still also too very',
    'said say says saying talk talked talking discuss discussed remember recall mention mentioned let go get got make made',
    'continue continued resume carry left off up out ok okay hi hello hey thanks thank',
    're ve ll don didn doesn isn wasn aren weren won can couldn shouldn wouldn',
  ]
    .join(' ')
    .split(' '),
);
