// Memory: a closed conversation is held by nobody, whatever became of its turns.
import { describe, expect, it } from 'vitest';
import { scaled } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';

interface Report {
  cycle: number;
  heap: number;
  collected: number;
  open: number;
}

describe('memory', () => {
  it('after 10,000 cycles of open, message and close with cancellations is what it was after 1,000', {
    timeout: 300_000,
  }, async () => {
    const cycles = scaled(10_000);
    const warmUp = 2500;
    const program = await bundleProgram(new URL('./leak-child.ts', import.meta.url));
    const child = new Child<Report>(
      program,
      { home: createQuickFolder('leak'), warmUp, cycles, reports: [1000, cycles] },
      { silence: 200_000 },
    );
    const [early, late] = (await child.finish()) as [Report, Report];
    expect(late.open).toBe(0);
    // The newest few may still be waiting for the collector.
    expect(late.collected).toBeGreaterThan(warmUp + cycles - 100);
    expect(late.heap / early.heap).toBeLessThan(1.1);
  });
});
