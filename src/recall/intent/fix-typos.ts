// Mistyped words of a request to go on, written right, so that the patterns need to know one spelling only.

/** Real words that look like a mistyped one. */
const realWords = new Set(
  'continuo continued continues continuous continuum continual contain contained container contains contour confine consume presume resumes resumed resumé resume reuse rescue revenue assume proceeds proceeded precede preceded procedure succeed exceed consulted contrive continent'.split(
    ' ',
  ),
);
const longWords = ['continue', 'resume', 'proceed'];

const known: Record<string, string> = {
  wehre: 'where',
  wher: 'where',
  whre: 'where',
  hwere: 'where',
  werhe: 'where',
  weer: 'were',
  gonig: 'going',
  goign: 'going',
  kepp: 'keep',
  keeep: 'keep',
  kee: 'keep',
  cary: 'carry',
  carrry: 'carry',
  lefft: 'left',
  pcik: 'pick',
  pik: 'pick',
  teh: 'the',
  taht: 'that',
  tha: 'that',
  taks: 'task',
  tsak: 'task',
  waht: 'what',
  wat: 'what',
  resum: 'resume',
  cont: 'continue',
  jixu: 'continue',
  pleas: 'please',
  plese: 'please',
  pelase: 'please',
};

const chinese: [RegExp, string][] = [
  [/继\s续|[继既记计]续|继[序绪需叙]|継続して/gu, '继续'],
  [/接(?:这|者|找)(?=[做干弄搞来说聊修改写刚上之往])|街着(?=[做干来说])/gu, '接着'],
  [/刚[材财在]才?(?=[的那说聊做讲])/gu, '刚才'],
  [/上[此词](?=[的那说聊做讲我])/gu, '上次'],
  [/([说聊讲做写谈干])[道倒](?=[哪那](?:里|儿|了|$|[?？]))/gu, '$1到'],
  [/([说聊讲做写谈干])到那(?=(?:里|儿)?了?[?？!！。\s]*$)/gu, '$1到哪'],
];

export function fixTypos(text: string): string {
  const fixed = text.replace(/[\p{Script=Latin}]+/gu, (word, at: number) => {
    // A part of an identifier or a path is no mistyped word.
    if (/[\w\-./\\@#]/.test(text[at - 1] ?? '') || /[\w/\\@#(=]/.test(text[at + word.length] ?? '')) return word;
    return findRight(word.toLowerCase()) ?? word;
  });
  return chinese.reduce((result, [pattern, right]) => result.replace(pattern, right), fixed);
}

/** What a word in lower case is mistyped for. */
export function findRight(word: string): string | undefined {
  return (Object.hasOwn(known, word) ? known[word] : undefined) ?? nearest(word);
}

function nearest(word: string): string | undefined {
  if (word.length < 5 || realWords.has(word)) return undefined;
  return longWords.find(
    (right) => word !== right && word[0] === right[0] && editDistance(word, right) <= (right.length >= 8 ? 2 : 1),
  );
}

/** Insertions, deletions, replacements and swapped neighbours. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, i) => i)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, at(i - 2, j - 2) + 1);
      rows[i]?.push(best);
    }
  }
  return at(a.length, b.length);
}
