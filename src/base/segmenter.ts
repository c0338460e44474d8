// Segmenters of text, made when they are first needed and once a process: the dictionary of one takes many milliseconds to load.

type Granularity = 'word' | 'sentence' | 'grapheme';

const made = new Map<Granularity, Intl.Segmenter>();

/** The words of a text in any language, Chinese ones by dictionary. */
export function segmentWords(text: string): Intl.Segments {
  return segmenter('word', 'zh').segment(text);
}

export function segmentSentences(text: string): Intl.Segments {
  return segmenter('sentence', 'en').segment(text);
}

export function segmentGraphemes(text: string): Intl.Segments {
  return segmenter('grapheme', 'en').segment(text);
}

function segmenter(granularity: Granularity, locale: string): Intl.Segmenter {
  let found = made.get(granularity);
  if (!found) {
    found = new Intl.Segmenter(locale, { granularity });
    made.set(granularity, found);
  }
  return found;
}
