/** Public-domain books and speeches: plain text, or JSON whose strings are text; as pieces of a few sentences. */
import { isWorthALine, languageOf, pieces } from './text.mjs';

const SPEECHES = /(?:^|\/)data\/.*\.(?:json|txt)$/;

export const isBook = (path) => /^gutenberg\/.*\.txt$/.test(path) || SPEECHES.test(path);

function* strings(value) {
  if (typeof value === 'string') {
    yield value;
  } else if (value && typeof value === 'object') {
    for (const one of Object.values(value)) {
      yield* strings(one);
    }
  }
}

export function* bookLines(path, source) {
  const bodies = /\.json$/.test(path) ? strings(JSON.parse(source)) : [source];
  for (const body of bodies) {
    for (const paragraph of body.replace(/\r/g, '').split(/\n\s*\n/)) {
      for (const piece of pieces(paragraph.replace(/_/g, '').replace(/\s+/g, ' ').trim(), 160)) {
        if (languageOf(piece) === 'en' && isWorthALine(piece, 'en')) {
          yield { language: 'en', text: piece };
        }
      }
    }
  }
}
