// The words in a ChatGPT message's content: parts, code, what a tool gave back, thoughts. What is no text is named in its place.
import { type Fields, isFields, listIn, textIn, wordIn } from '../fields.ts';

export function textOf(content: Fields): string {
  const parts = listIn(content, 'parts').map(partText);
  const own = textIn(content, 'text') ?? textIn(content, 'result') ?? textIn(content, 'content');
  const source = [wordIn(content, 'title'), wordIn(content, 'url')];
  const lines = textIn(content, 'content_type') === 'tether_quote' ? [...source, own] : [...parts, own];
  return withoutCitations(lines.filter((line): line is string => line !== undefined && line !== '').join('\n'));
}

export function thoughtsOf(content: Fields): string {
  const thoughts = listIn(content, 'thoughts').filter(isFields);
  const texts = thoughts.map((thought) =>
    [wordIn(thought, 'summary'), wordIn(thought, 'content')].filter((line) => line !== undefined).join('\n'),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isFields(part)) return '';
  const words = wordIn(part, 'text');
  if (words !== undefined) return words;
  const type = textIn(part, 'content_type') ?? '';
  const name = ['image', 'audio', 'video', 'file'].find((each) => type.includes(each));
  return name === undefined ? (type === '' ? '' : `[${type}]`) : `[${name}]`;
}

/** Marks that the page shows as links and that mean nothing outside of it. */
function withoutCitations(text: string): string {
  return text.includes('\ue200') ? text.replace(/\s?\ue200(?:cite|filecite|navlist)[^\ue201]*\ue201/g, '') : text;
}
