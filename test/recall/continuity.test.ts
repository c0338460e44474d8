import { describe, expect, it } from 'vitest';
import { continuitySituations, continuityTraps } from './continuity-fixture/continuity-fixture.ts';
import { askInWorld, type Outcome } from './continuity-world.ts';

describe('continuity across directories', () => {
  it('recalls the right conversation first, or as one of two that are offered, in nine of ten situations', async () => {
    const outcomes: Outcome[] = [];
    for (const { world, situation } of continuitySituations) outcomes.push(await askInWorld(world, situation));
    const right = outcomes.filter(isRight);
    const offered = right.filter(({ prepared }) => prepared.why === 'two-candidates').length;
    const ways = (['content', 'deixis', 'time', 'mixed'] as const).map((by) => {
      const all = outcomes.filter(({ situation }) => situation.by === by);
      return `${by} ${all.filter(isRight).length}/${all.length}`;
    });
    console.log(
      `continuity: ${share(right.length, outcomes.length)} recalled right, ${offered} of them as one of two (${ways.join(', ')})`,
    );
    for (const outcome of outcomes) if (!isRight(outcome)) console.log(`  missed ${describeOutcome(outcome)}`);
    expect(right.length / outcomes.length).toBeGreaterThanOrEqual(0.9);
  }, 60_000);

  it('recalls nothing in any trap', async () => {
    const outcomes: Outcome[] = [];
    for (const { world, situation } of continuityTraps) outcomes.push(await askInWorld(world, situation));
    const sprung = outcomes.filter(({ recalled }) => recalled.length > 0);
    console.log(`continuity traps without recall: ${share(outcomes.length - sprung.length, outcomes.length)}`);
    expect(sprung.map(describeOutcome)).toEqual([]);
  }, 60_000);
});

function isRight({ situation, recalled, prepared }: Outcome): boolean {
  const counted = recalled.slice(0, prepared.why === 'two-candidates' ? 2 : 1);
  return counted.some((id) => situation.expect.includes(id));
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`;
}

function describeOutcome({ situation: { id, says, expect: wanted }, recalled, prepared: { why, intent } }: Outcome): string {
  return `${id}: ${says} → [${recalled.join(', ')}] for [${wanted.join(', ')}] (${why}, ${intent.kind}: ${intent.content})`;
}
