// Any sequence of operations gives the same observable state on every driver as on the memory driver. A failure prints the seed, the
// path and the shrunk sequence; CONTINUO_SEED repeats it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryDriver } from '../../src/store/drivers/memory/memory-driver.ts';
import { campaignScale, scaled } from '../support/campaign.ts';
import { campaignSeed } from '../support/seeded-random.ts';
import { createSubjectDriver, type SubjectName, subjectNames } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { creations, type Operation, operations } from './operations.ts';
import { Player } from './player.ts';

const timeout = 120_000 * Math.max(1, campaignScale);
const numRuns = scaled(40);
const sequences = fc
  .tuple(fc.array(creations, { minLength: 1, maxLength: 3 }), fc.array(operations, { maxLength: 60, size: 'max' }))
  .map(([first, then]) => [...first, ...then]);

describe(`any sequence of operations, ${numRuns} of them`, () => {
  it.each(subjectNames)('looks on %s as it does in memory', { timeout }, async (subject) => {
    const folder = createQuickFolder('fuzz');
    let run = 0;
    const property = fc.asyncProperty(sequences, (sequence) => compare(subject, join(folder, String(run++)), sequence));
    await fc.assert(property, { numRuns, seed: campaignSeed });
  });
});

async function compare(subject: SubjectName, folder: string, sequence: readonly Operation[]): Promise<void> {
  const memory = new MemoryDriver();
  const reference = await Player.open(() => memory);
  const subjected = await Player.open(() => createSubjectDriver(subject, folder));
  try {
    for (const [i, operation] of sequence.entries()) {
      const expected = await reference.play(operation);
      expect(await subjected.play(operation), `operation ${i}, ${operation.do}`).toEqual(expected);
    }
    const expected = await reference.describeAll(0);
    expect(await subjected.describeAll(0), 'in the end, through the first store').toEqual(expected);
    expect(await subjected.describeAll(1), 'in the end, through the second store').toEqual(expected);
    for (const which of [0, 1] as const) {
      for (const player of [reference, subjected]) await player.play({ store: which, do: 'reopen' });
    }
    expect(await subjected.describeAll(0), 'opened again').toEqual(await reference.describeAll(0));
  } finally {
    await reference.close();
    await subjected.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
