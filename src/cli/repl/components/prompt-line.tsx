// Where a person types, with what Tab offers below. The terminal's own cursor stands in it, so that input methods open in the right
// place.
import { plainLine } from '../../output/plain-text.ts';
import type { InputLayout } from '../input/input-layout.ts';
import type { OffersView } from '../view/repl-view.ts';
import { cutTo, padTo, widthOf } from '../view/screen-text.ts';
import type { Draw } from './draw.ts';

const mostOffers = 6;
const gap = 3;

/** `prompt` stands before the first line, spaces of its width before the others. */
export function promptLines(prompt: string, { lines }: InputLayout, { style }: Draw): string[] {
  const space = ' '.repeat(widthOf(prompt));
  return lines.map((line, place) => (place === 0 ? style.cyan(prompt) : space) + line);
}

export function offerLines(offers: OffersView | undefined, { style, columns }: Draw): string[] {
  if (!offers || offers.offers.length === 0) return [];
  const start = Math.max(0, Math.min(offers.chosen - mostOffers + 2, offers.offers.length - mostOffers));
  // Files may be called anything.
  const shown = offers.offers.slice(start, start + mostOffers).map(({ text, about }) => ({ text: plainLine(text), about }));
  const width = Math.max(...shown.map(({ text }) => widthOf(text)));
  return shown.map(({ text, about }, place) => {
    const line = cutTo(`  ${padTo(text, Math.min(width, columns - 2))}${' '.repeat(gap)}${about}`.trimEnd(), columns);
    return start + place === offers.chosen ? style.cyan(line) : style.dim(line);
  });
}
