/** Prose inside source code: doc comments, Chinese line comments and the messages of thrown errors. */
import { cleanProse } from './text.mjs';

const DOC = /\/\*\*([\s\S]*?)\*\//g;
const LINE_ZH = /(?:^|[\s;{}])\/\/+[ \t]*([^\n]*\p{Script=Han}[^\n]*)/gu;
const ERROR = /new \w*Error\(\s*(?:'([^'\n\\]{12,200})'|"([^"\n\\]{12,200})"|`([^`\\]{12,200})`)/g;
const NOT_PROSE =
  /^@(?:type|class|private|public|template|typedef|extends|module|default|version|since|see|author|link|memberof|internal)\b.*/;

/** The text of a comment without its asterisks. */
export const commentText = (body) => body.replace(/^[ \t]*\*?[ \t]?/gm, '').trim();

/** The paragraphs of one doc comment: its description and what its tags say. */
export function commentParagraphs(body) {
  const out = [];
  let code = false;
  let paragraph = [];
  const flush = () => {
    const text = cleanProse(paragraph.join(' '));
    if (text) {
      out.push(text);
    }
    paragraph = [];
  };
  for (const raw of commentText(body).split('\n')) {
    const line = raw.trim();
    if (line.startsWith('```')) {
      flush();
      code = !code;
    } else if (!code && (line === '' || line.startsWith('@') || /^(?:[-*+]|\d+\.)\s/.test(line))) {
      flush();
      code = /^@example/.test(line);
      const said = line
        .replace(NOT_PROSE, '')
        .replace(/^@(?:param|property|prop|arg|throws|returns?)\s*(?:\{[^}]*\})?\s*(?:\[?[\w.$=]+\]?\s+-?\s*)?/, '')
        .replace(/^@\w+\s*/, '');
      if (said && !code) {
        paragraph.push(said);
      }
    } else if (!code) {
      paragraph.push(line);
    }
  }
  flush();
  return out;
}

/** Every prose text of a source file. */
export function* sourceProse(source) {
  for (const match of source.matchAll(DOC)) {
    yield* commentParagraphs(match[1]);
  }
  for (const match of source.matchAll(LINE_ZH)) {
    yield cleanProse(match[1]);
  }
  for (const match of source.matchAll(ERROR)) {
    yield cleanProse((match[1] ?? match[2] ?? match[3]).replace(/\$\{[^}]*\}/g, ' '));
  }
}

/** Pairs of a bilingual comment: `@en English @zh Chinese` or `!#en English !#zh Chinese`. */
export function* bilingualComments(source) {
  for (const match of source.matchAll(DOC)) {
    const found = /(?:@|!#)en\b([\s\S]*?)(?:@|!#)zh\b([\s\S]*?)(?=\n\s*@|!#|$)/.exec(commentText(match[1]));
    if (found) {
      yield { en: cleanProse(found[1]), zh: cleanProse(found[2]) };
    }
  }
}
