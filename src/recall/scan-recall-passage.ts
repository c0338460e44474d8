// The readable part of a text around a place: whole sentences where they fit, else words.

const wanted = 400;
/** Beyond this a sentence is cut. */
const most = 600;

/** The passage around the place, with … where something was left out. */
export function cutPassage(text: string, place: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= wanted) return trimmed;
  const start = sentenceStart(text, place);
  let end = sentenceEnd(text, Math.max(place, start));
  let from = start;
  // What follows usually explains; then what comes before.
  while (end < text.length && sentenceEnd(text, end) - from <= wanted) end = sentenceEnd(text, end);
  while (from > 0 && end - sentenceStart(text, from - 1) <= wanted && sentenceStart(text, from - 1) < from) {
    from = sentenceStart(text, from - 1);
  }
  if (end - from > most) [from, end] = cutLong(text, place, from, end);
  const passage = text.slice(from, end).toWellFormed().trim();
  const hasBefore = text.slice(0, from).trim() !== '';
  const hasAfter = text.slice(end).trim() !== '';
  return `${hasBefore ? '…' : ''}${passage}${hasAfter ? '…' : ''}`;
}

const sentenceBreak = /[。！？；\n]+|[.!?]+(?=\s)/g;

function sentenceStart(text: string, place: number): number {
  let start = 0;
  const first = Math.max(0, place - most);
  if (first > 0) start = first;
  for (const match of text.slice(first, place).matchAll(sentenceBreak)) start = first + match.index + match[0].length;
  return start;
}

function sentenceEnd(text: string, place: number): number {
  const match = text.slice(place, place + most).match(new RegExp(sentenceBreak.source));
  if (match?.index !== undefined) return place + match.index + match[0].length;
  return Math.min(text.length, place + most);
}

/** A window of words around the place; text without spaces is cut between characters. */
function cutLong(text: string, place: number, from: number, end: number): [number, number] {
  let start = Math.max(from, place - wanted / 3);
  if (start > from) {
    const space = text.slice(start, Math.min(start + 30, place)).search(/\s/);
    if (space >= 0) start += space + 1;
    else if (isLowSurrogate(text, start)) start += 1;
  }
  let stop = Math.min(end, Math.floor(start) + wanted);
  if (stop < end) {
    const space = text.slice(Math.max(stop - 30, place), stop).lastIndexOf(' ');
    if (space > 0) stop = Math.max(stop - 30, place) + space;
    else if (isLowSurrogate(text, stop)) stop -= 1;
  }
  return [Math.floor(start), stop];
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(Math.floor(at));
  return code >= 0xdc00 && code <= 0xdfff;
}
