// What a reviewer came to, read from the last line of the answer. An answer without such a line is no approval.
export interface ReviewVerdict {
  /** `unclear`: it came to no verdict. `failed`: it could not be held, and the text says why. */
  outcome: (typeof reviewOutcomes)[number];
  text: string;
}

export const reviewOutcomes = ['accepted', 'changes', 'unclear', 'failed'] as const;

/** What the reviewer is told to end with. */
export const verdictLines = { accepted: 'VERDICT: ACCEPT', changes: 'VERDICT: CHANGES' } as const;

export function readVerdict(answer: string): ReviewVerdict {
  const text = answer.trim();
  const lines = text.split('\n');
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  const said = /^[\s>*_#`-]*verdict\s*[:：]\s*[*_`]*\s*(accept(?:ed)?|changes)\b[\s*_`.!]*$/i.exec(last)?.[1]?.toLowerCase();
  if (said === undefined) return { outcome: 'unclear', text };
  const reasons = text.slice(0, text.lastIndexOf(last)).trim();
  return { outcome: said === 'changes' ? 'changes' : 'accepted', text: reasons };
}
