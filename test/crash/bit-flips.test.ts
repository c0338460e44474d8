// Flips bits of single bytes anywhere in a store's files, some at random and some where it hurts most. Whatever is returned was said,
// whatever is missing is reported, and nothing crashes or hangs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { campaignScale, scaled } from '../support/campaign.ts';
import { bundleProgram } from '../support/child-program.ts';
import { campaignSeed, createSeededRandom, type SeededRandom } from '../support/seeded-random.ts';
import type { SubjectName } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { runCampaign } from './damage-campaign.ts';
import type { DamageCase } from './damage-case.ts';
import { buildDamageStore, type DamageStore, type Shape } from './damage-store.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('damage-trial.ts', import.meta.url));
});

describe(`a flipped byte, seed ${campaignSeed}`, () => {
  const stores: [SubjectName, Shape][] = [
    ['sqlite', 'closed'],
    ['sqlite', 'running'],
    ['sqlite', 'begun-anew'],
    ['sqlite-encrypted', 'closed'],
    ['sqlite-encrypted', 'running'],
    ['jsonl', 'closed'],
    ['jsonl-encrypted', 'closed'],
  ];
  it.each(stores)(
    '%s, %s: never a wrong word, never silence about a missing one',
    async (subject, shape) => {
      const folder = createQuickFolder('flips');
      const random = createSeededRandom(campaignSeed);
      const store = await buildDamageStore(subject, shape, folder, random);
      const cases = [...anywhere(store, random, scaled(30)), ...sample(whereItHurts(store), random, scaled(30))];
      const result = await runCampaign({ program, subject, folder, store, cases }, (_damage, outcome) =>
        outcome.missing.length > 0 && outcome.reports.length === 0
          ? [`missing without a word: ${outcome.missing.join(', ')}`]
          : [],
      );
      console.log(`${subject} ${shape}: ${cases.length} flips, reports`, result.reports);
      expect(result.faults.slice(0, 12)).toEqual([]);
    },
    120_000 * Math.max(1, campaignScale),
  );
});

function anywhere({ files }: DamageStore, random: SeededRandom, count: number): DamageCase[] {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return Array.from({ length: count }, () => {
    let place = random.between(0, total);
    const found = files.find(({ size }) => {
      if (place < size) return true;
      place -= size;
      return false;
    }) as { file: string };
    return { file: found.file, offset: place, mask: random.between(1, 256) };
  });
}

/** Groups of places that few random flips would hit: headers of files and frames, counters, the heads of records. */
function whereItHurts({ pristine, files }: DamageStore): DamageCase[][] {
  const groups: DamageCase[][] = [];
  for (const { file, size } of files) {
    const bytes = readFileSync(join(pristine, file));
    const near = (offset: number, before: number, after: number): DamageCase[] => {
      const cases: DamageCase[] = [];
      for (let i = Math.max(0, offset - before); i < Math.min(size, offset + after); i++) {
        for (const mask of [1, 1 << (i % 8), 0xff]) cases.push({ file, offset: i, mask });
      }
      return cases;
    };
    groups.push(near(0, 0, 100), near(size, 40, 0));
    if (file.endsWith('-wal')) {
      const frame = 24 + bytes.readUInt32BE(8);
      for (let offset = 32; offset < size; offset += frame) groups.push(near(offset, 0, 24));
    }
    // Every page of a database begins with a count of its cells and the way to each.
    if (bytes.toString('latin1', 0, 15) === 'SQLite format 3') {
      for (let offset = 4096; offset < size; offset += 4096) groups.push(near(offset, 0, 200));
    }
    for (const word of ['settled', 'epoch', 'long one', 'scrap', '"lastSeq"', 'r0 w0 n7', 'r0 w0 n2', 'a draft of']) {
      const found: DamageCase[] = [];
      for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) found.push(...near(at, 80, 80));
      if (found.length > 0) groups.push(found);
    }
  }
  return groups.filter((group) => group.length > 0);
}

/** As many from each group, or all where that is enough. */
function sample(groups: DamageCase[][], random: SeededRandom, count: number): DamageCase[] {
  const all = groups.flat();
  return count >= all.length ? all : Array.from({ length: count }, () => random.pick(random.pick(groups)));
}
