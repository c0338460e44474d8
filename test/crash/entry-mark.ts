// Texts that say who wrote them: round, writer, the writer's counter, and the batch they belong to. So a store's content alone tells
// whether anything is out of order, doubled or half there.
import { createHash } from 'node:crypto';
import type { SeededRandom } from '../support/seeded-random.ts';

export interface EntryMark {
  round: number;
  writer: number;
  counter: number;
  /** The counter of the first entry of its batch, and how many there are. */
  first: number;
  size: number;
}

const lengths = [0, 20, 60, 200, 200, 700, 700, 3000, 9000];
export const shortLengths = [0, 20, 20, 60, 60, 200];
const fillers = ['words and more words ', 'línea\nnueva ', '连续的低音 ', '🎵"quoted"\\ ', '\u2028\t'];

export function buildText({ round, writer, counter, first, size }: EntryMark, random: SeededRandom, among = lengths): string {
  const filler = random.pick(fillers);
  const length = random.pick(among);
  return `r${round} w${writer} n${counter} b${first}/${size} ${filler.repeat(Math.ceil(length / filler.length))}`;
}

export function parseMark(text: string): EntryMark | undefined {
  const found = /^r(\d+) w(\d+) n(\d+) b(\d+)\/(\d+) /.exec(text);
  if (!found) return undefined;
  const [round, writer, counter, first, size] = found.slice(1).map(Number) as [number, number, number, number, number];
  return { round, writer, counter, first, size };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
