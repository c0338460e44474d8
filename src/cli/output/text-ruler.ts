// How many columns a text takes in a terminal. Common scripts are measured by their code points; emoji, combining marks and the like
// are left to string-width, which is loaded only where such text appears (it costs as much as the rest of the start-up).

export interface TextRuler {
  width(text: string): number;
  /** The text, or as much of it as fits with an ellipsis. */
  cut(text: string, columns: number): string;
}

/** A ruler good for these texts. */
export async function createRuler(texts: Iterable<string>): Promise<TextRuler> {
  for (const text of texts) if (commonWidth(text) === undefined) return createFullRuler();
  return commonRuler;
}

const ellipsis = '…';

/** Measures ASCII, Latin, CJK, kana and Hangul exactly; anything else counts one column a character. */
export const commonRuler: TextRuler = rulerOf(
  (text) => commonWidth(text) ?? [...text].length,
  (text) => text,
);

async function createFullRuler(): Promise<TextRuler> {
  const { default: stringWidth } = await import('string-width');
  const segmenter = new Intl.Segmenter();
  return rulerOf(stringWidth, function* (text) {
    for (const { segment } of segmenter.segment(text)) yield segment;
  });
}

function rulerOf(width: (text: string) => number, pieces: (text: string) => Iterable<string>): TextRuler {
  return {
    width,
    cut(text, columns) {
      if (text.length * 2 <= columns || width(text) <= columns) return text;
      let kept = '';
      let used = 0;
      for (const piece of pieces(text)) {
        used += width(piece);
        if (used > columns - 1) break;
        kept += piece;
      }
      return kept.trimEnd() + ellipsis;
    },
  };
}

function commonWidth(text: string): number | undefined {
  let columns = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x20 && code < 0x7f) columns += 1;
    else if (isWide(code)) columns += 2;
    else if (isNarrow(code)) columns += 1;
    else return undefined;
  }
  return columns;
}

function isWide(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3000 && code <= 0x3029) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x309b && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xff01 && code <= 0xff60)
  );
}

function isNarrow(code: number): boolean {
  return (code >= 0xa1 && code <= 0x2ff && code !== 0xa9 && code !== 0xad && code !== 0xae) || (code >= 0x2010 && code <= 0x2027);
}
