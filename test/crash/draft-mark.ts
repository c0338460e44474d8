// Answers that grow step by step, such that every step tells from its text alone which one it is. The step after the last draft is the
// whole answer.
export const draftSteps = 12;

export function draftEntry(answer: number, step: number) {
  const text = `a${answer} s${step} ${'und noch ein Wort, 还有一个词 '.repeat(((answer % 7) + 1) * step * step)}`;
  return { kind: 'message', role: 'assistant', text, turnId: String(answer) } as const;
}

/** Which answer and step it is; undefined where the text is not exactly one of them. */
export function parseDraft(entry: { text?: string }): { answer: number; step: number } | undefined {
  const [, answer, step] = /^a(\d+) s(\d+) /.exec(entry.text ?? '') ?? [];
  const mark = { answer: Number(answer), step: Number(step) };
  return draftEntry(mark.answer, mark.step).text === entry.text ? mark : undefined;
}
