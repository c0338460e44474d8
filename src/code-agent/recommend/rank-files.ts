// Ranks files by the words of a task, like BM25 over several fields: what a path and a symbol say counts more than what a comment
// says, rare words more than common ones, and a long file is not better because it is long.
import { countTerm, toSearchText } from '../../recall/scan-recall-terms.ts';
import type { QueryTerm } from '../../recall/tokens/build-query.ts';
import type { FileRecord } from '../context/file-record.ts';
import type { FileReason } from '../context/relevant-files.ts';
import { isTestFile } from '../context/test-file.ts';

const fields = ['path', 'symbol', 'words'] as const;
type Field = (typeof fields)[number];

const fieldWeights: Record<Field, number> = { path: 3, symbol: 2.2, words: 1 };
/** How much the length of a field takes off. */
const lengthShare: Record<Field, number> = { path: 0.3, symbol: 0.6, words: 0.6 };
const saturation = 1.4;
/** A test says the same words as its source: the source comes first. */
const testWeight = 0.75;
const reasonsKept = 3;

export interface RankedFile {
  record: FileRecord;
  score: number;
  why: FileReason[];
}

interface Candidate {
  record: FileRecord;
  /** By term, then by field. */
  counts: number[][];
  lengths: number[];
}

export async function rankFiles(
  records: Iterable<FileRecord>,
  terms: readonly QueryTerm[],
  pause: () => Promise<void> | undefined,
): Promise<RankedFile[]> {
  const candidates: Candidate[] = [];
  const totals = fields.map(() => 0);
  let files = 0;
  for (const record of records) {
    await pause();
    files += 1;
    const texts = [record.path, namesOf(record), record.words];
    for (const [i, text] of texts.entries()) totals[i] = (totals[i] as number) + text.length;
    const searched = texts.map(toSearchText);
    const counts = terms.map((term) => searched.map((text) => countTerm(text, term)));
    if (counts.some((list) => list.some((count) => count > 0))) {
      candidates.push({ record, counts, lengths: texts.map(({ length }) => length) });
    }
  }
  const averages = totals.map((total) => Math.max(1, total / Math.max(1, files)));
  const weights = terms.map((term, i) => term.weight * rarity(files, candidates.filter(({ counts }) => holds(counts[i])).length));
  const ranked = candidates.map((candidate) => score(candidate, terms, weights, averages));
  return ranked.sort((a, b) => b.score - a.score || (a.record.path < b.record.path ? -1 : 1));
}

function namesOf({ symbols }: FileRecord): string {
  return symbols.map(({ name }) => name).join(' ');
}

function holds(counts: readonly number[] | undefined): boolean {
  return counts?.some((count) => count > 0) ?? false;
}

function rarity(files: number, holding: number): number {
  return Math.log(1 + (files - holding + 0.5) / (holding + 0.5));
}

function score(
  { record, counts, lengths }: Candidate,
  terms: readonly QueryTerm[],
  weights: readonly number[],
  averages: readonly number[],
): RankedFile {
  let total = 0;
  let found = 0;
  const best = new Map<Field, { text: string; worth: number }[]>();
  for (const [i, term] of terms.entries()) {
    let sum = 0;
    for (const [j, field] of fields.entries()) {
      const count = counts[i]?.[j] ?? 0;
      if (count === 0) continue;
      const share = lengthShare[field];
      const part = (fieldWeights[field] * count) / (1 - share + (share * (lengths[j] as number)) / (averages[j] as number));
      sum += part;
      const list = best.get(field) ?? [];
      best.set(field, list);
      // A part of a name is no word that anybody wrote.
      list.push({
        text: term.kind === 'part' ? (term.partOf ?? term.text).replaceAll('"', '') : term.text,
        worth: (weights[i] as number) * part,
      });
    }
    if (sum > 0) found += weights[i] as number;
    total += ((weights[i] as number) * sum) / (saturation + sum);
  }
  const why = [...best].map(([kind, list]): FileReason => {
    const words = list.sort((a, b) => b.worth - a.worth).slice(0, reasonsKept);
    return { kind, text: [...new Set(words.map(({ text }) => text))].join(', ') };
  });
  const share = found / Math.max(Number.MIN_VALUE, sumOf(weights));
  return { record, score: total * (0.4 + 0.6 * share) * (isTestFile(record.path) ? testWeight : 1), why };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
