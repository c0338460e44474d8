// Which parts of a text only show something and are not meant: fenced code, inline code and quoted lines. A marker in there is talk
// about markers. One pass over the text; a fence that is never closed reaches to the end, as Markdown has it.

/** A stretch of the text, `end` not included. */
export interface Stretch {
  start: number;
  end: number;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const quoteLine = /^\s{0,3}>/;

export interface LiteralText {
  /** In order and without overlaps. */
  stretches: Stretch[];
  /** Where the lines begin that open a fence. */
  openings: readonly number[];
  /** The marks of a fence that is not closed. */
  fence: string | undefined;
  /** Where backticks begin that nothing closes, in a paragraph that may go on; undefined where there are none. */
  openCode: number | undefined;
}

export function readLiterals(text: string): LiteralText {
  const stretches: Stretch[] = [];
  const openings: number[] = [];
  let fence: string | undefined;
  let paragraph: Stretch | undefined;
  let openCode: number | undefined;
  const endParagraph = () => {
    openCode = undefined;
    if (!paragraph) return;
    const code = findCodeSpans(text, paragraph);
    stretches.push(...code.spans);
    openCode = code.open;
    paragraph = undefined;
  };
  for (const line of linesOf(text)) {
    const content = text.slice(line.start, line.end).replace(/\r?\n$/, '');
    const [, marks, info = ''] = fenceLine.exec(content) ?? [];
    if (fence !== undefined) {
      stretches.push(line);
      if (marks?.startsWith(fence) && info.trim() === '') fence = undefined;
    } else if (marks !== undefined && !(marks.startsWith('`') && info.includes('`'))) {
      endParagraph();
      stretches.push(line);
      openings.push(line.start);
      fence = marks;
    } else if (quoteLine.test(content)) {
      endParagraph();
      stretches.push(line);
    } else if (content.trim() === '') endParagraph();
    else paragraph = { start: paragraph?.start ?? line.start, end: line.end };
  }
  endParagraph();
  return { stretches, openings, fence, openCode };
}

/** Every line with its end. */
function* linesOf(text: string): Generator<Stretch> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found + 1;
    yield { start, end };
    start = end;
  }
}

/** Code between runs of backticks of the same length. */
function findCodeSpans(text: string, { start, end }: Stretch): { spans: Stretch[]; open: number | undefined } {
  const runs = [...text.slice(start, end).matchAll(/`+/g)].map((run) => ({ at: start + run.index, length: run[0].length }));
  // For every run the next one of the same length.
  const closing: (number | undefined)[] = [];
  const nearest = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index] as { length: number };
    closing[index] = nearest.get(length);
    nearest.set(length, index);
  }
  const spans: Stretch[] = [];
  let loose: number | undefined;
  for (let open = 0; open < runs.length; open++) {
    const { at, length } = runs[open] as { at: number; length: number };
    const close = closing[open];
    if (close === undefined) {
      loose ??= at;
      continue;
    }
    spans.push({ start: at, end: (runs[close] as { at: number }).at + length });
    open = close;
  }
  return { spans, open: loose };
}
