// Quoted text made harmless to show: no control characters, no invisible ones, no marks that a model's template gives a meaning.

/** What a terminal would act on: colours, titles. */
const escapes = /(?![\n\t])\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*)/gu;
const lineBreaks = /\r\n?|[\u0085\u2028\u2029\v\f]/gu;
const controls = /(?![\n\t])\p{Cc}/gu;
/** Turn the reading order round, hide text from people, or spell words in characters that are not drawn. */
const invisible = /[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
const templateMarks = /<(?=\|)|(?<=\|)>/gu;

export function cleanQuote(text: string): string {
  return text
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replace(escapes, '')
    .replace(controls, '')
    .replace(invisible, '')
    .replace(templateMarks, (mark) => (mark === '<' ? '< ' : ' >'))
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

/** For a heading: one line, not long. */
export function cleanName(text: string, maxLength = 80): string {
  const line = cleanQuote(text).replace(/\s+/gu, ' ').replace(/["“”]/gu, "'");
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}
