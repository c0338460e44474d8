// Kills writers with SIGKILL at random moments and looks at the same store again and again: what was acknowledged is there.
// CONTINUO_CAMPAIGN=20 gives each driver 200 kills; CONTINUO_SEED repeats a run's choices.
import { beforeAll, describe, expect, it } from 'vitest';
import { campaignScale, scaled } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { campaignSeed, createSeededRandom } from '../support/seeded-random.ts';
import type { SubjectName } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { CrashLedger, type Finding } from './crash-ledger.ts';
import type { CrashInput, CrashLine } from './crash-writer.ts';

const kills: Record<SubjectName, number> = { sqlite: 10, 'sqlite-encrypted': 3, jsonl: 10, 'jsonl-encrypted': 3 };

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('crash-writer.ts', import.meta.url));
});

describe(`after SIGKILL at a random moment, seed ${campaignSeed}`, () => {
  it.each(Object.keys(kills) as SubjectName[])(
    '%s: every acknowledged word is there, in order, and nothing has to be repaired',
    async (subject) => {
      const random = createSeededRandom(campaignSeed);
      // A database commits a batch or not; a file of lines keeps those that were written whole.
      const ledger = new CrashLedger({ batchesMayTear: subject.startsWith('jsonl') });
      const folder = createTemporaryFolder('crash');
      const wanted = scaled(kills[subject]);
      let killed = 0;
      let torn = 0;
      let rounds = wanted;
      for (let round = 1; round <= rounds + 1; round++) {
        // On a slow machine all of a few may have died before they wrote: then there are more, until there is something to lose.
        if (round > rounds && ledger.acknowledged <= wanted && rounds < 5 * wanted) rounds += 1;
        const writers = round > rounds ? 0 : round % 2 === 0 ? 16 : 1;
        const input: CrashInput = { subject, folder, seed: campaignSeed, round, writers };
        const child = new Child<CrashLine>(program, input);
        // Some before they get to write.
        const fromStart = random.chance(0.2);
        const delay = fromStart ? random.between(60, 400) : random.between(20, 300);
        let timer = fromStart && writers > 0 ? setTimeout(() => child.kill(), delay) : undefined;
        const findings: Finding[] = [];
        for await (const line of child) {
          if (line.tells === 'found') findings.push(line);
          else if (line.tells === 'verified') {
            expect(ledger.check(findings), `round ${round}`).toEqual([]);
            const problems = [...line.met, ...line.report.problems];
            torn += problems.filter((problem) => problem.code === 'torn-tail').length;
            expect(
              problems.filter((problem) => problem.code !== 'torn-tail'),
              `round ${round}`,
            ).toEqual([]);
          } else {
            ledger.note(line, round);
            timer ??= setTimeout(() => child.kill(), delay);
          }
        }
        clearTimeout(timer);
        const end = await child.ended;
        expect({ round, ...end, errors: child.errors }).toEqual(
          writers > 0 ? { round, code: null, signal: 'SIGKILL', errors: '' } : { round, code: 0, signal: null, errors: '' },
        );
        if (end.signal === 'SIGKILL') killed += 1;
      }
      expect(killed).toBe(rounds);
      expect(ledger.acknowledged).toBeGreaterThan(wanted);
      console.log(
        `${subject}: ${killed} kills, ${ledger.acknowledged} entries and ${ledger.changes} changes acknowledged, ${torn} torn tails reported`,
      );
    },
    60_000 * Math.max(1, campaignScale),
  );
});
