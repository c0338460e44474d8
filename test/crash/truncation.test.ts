// Cuts data files short: every length in the last 4 KiB, or forty of them in the everyday run (CONTINUO_CAMPAIGN=10 and
// above take all).
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { campaignScale, scaled } from '../support/campaign.ts';
import { bundleProgram } from '../support/child-program.ts';
import { campaignSeed, createSeededRandom } from '../support/seeded-random.ts';
import type { SubjectName } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { runCampaign } from './damage-campaign.ts';
import type { DamageCase } from './damage-case.ts';
import { buildDamageStore, type DamageStore, type Shape, walBoundaries } from './damage-store.ts';

const stretch = 4096;
const positions = campaignScale >= 10 ? stretch : Math.min(stretch, scaled(40));

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('damage-trial.ts', import.meta.url));
});

describe(`a file cut short, ${positions} lengths of the last 4 KiB, seed ${campaignSeed}`, () => {
  const cuts: [SubjectName, Shape, string][] = [
    ['sqlite', 'closed', 'log.db'],
    ['sqlite', 'running', 'log.db-wal'],
    ['sqlite-encrypted', 'closed', 'log.db'],
    ['sqlite-encrypted', 'running', 'log.db-wal'],
    ['jsonl', 'closed', 'conversation'],
    ['jsonl', 'closed', 'conversation without its coordination file'],
    ['jsonl-encrypted', 'closed', 'conversation'],
  ];
  it.each(cuts)(
    '%s, %s, %s: the intact beginning and a report, or a coded error',
    async (subject, shape, kind) => {
      const folder = createQuickFolder('truncation');
      const random = createSeededRandom(campaignSeed);
      const store = await buildDamageStore(subject, shape, folder, random);
      const file = kind.startsWith('conversation') ? largestLog(store) : kind;
      const path = join(store.pristine, file);
      const bytes = readFileSync(path);
      const size = bytes.length;
      let boundaries = new Set<number>();
      if (kind === 'log.db-wal') boundaries = walBoundaries(path);
      if (kind.includes('without')) {
        rmSync(join(store.pristine, 'coordination.db'));
        boundaries = lineBoundaries(path);
      }
      const cases = spread(size, positions, [...boundaries]).map((length): DamageCase => ({ file, length }));
      const result = await runCampaign({ program, subject, folder, store, cases }, (damage, outcome) => {
        const faults: string[] = [];
        const { length } = damage as { length: number };
        // Zeros at the end of a database (the free room of a draft) are read as zeros also where they are cut off.
        const isNothing = outcome.missing.length === 0 && bytes.subarray(length).every((byte) => byte === 0);
        const isSilent = outcome.reports.length === 0 && !boundaries.has(length) && !isNothing;
        if (isSilent) faults.push(`nobody noticed; missing: ${outcome.missing.join(', ')}`);
        // Pages of a database lie in no order; records of a log and commits of a write-ahead log do.
        if (kind !== 'log.db' && !outcome.isPrefix && outcome.reports.every((code) => !code.startsWith('store-'))) {
          faults.push('what is returned is not a beginning');
        }
        return faults;
      });
      console.log(`${subject} ${shape} ${kind}: ${cases.length} cuts of ${size} bytes, reports`, result.reports);
      expect(result.faults.slice(0, 12)).toEqual([]);
    },
    120_000 * Math.max(1, campaignScale),
  );
});

function largestLog(store: DamageStore): string {
  const logs = store.files.filter(({ file }) => file.endsWith('.jsonl'));
  return logs.reduce((largest, each) => (each.size > largest.size ? each : largest)).file;
}

/** Where a line ends. Without its end a line is still whole, and says all it should. */
function lineBoundaries(path: string): Set<number> {
  const bytes = readFileSync(path);
  const boundaries = new Set<number>();
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) boundaries.add(at + 1);
  return boundaries;
}

/** Lengths from the last 4 KiB, evenly spread, with those beside the boundaries there and a little before. */
function spread(size: number, count: number, boundaries: number[]): number[] {
  const lowest = Math.max(0, size - stretch);
  const chosen = new Set<number>();
  for (let i = 0; i < count; i++) chosen.add(lowest + Math.floor((i * (size - lowest)) / count));
  for (const boundary of boundaries) for (const length of [boundary - 1, boundary, boundary + 1]) chosen.add(length);
  return [...chosen].filter((length) => length >= lowest - 4 * stretch && length >= 0 && length < size).sort((a, b) => a - b);
}
