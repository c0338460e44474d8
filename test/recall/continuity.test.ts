import { describe, expect, it } from 'vitest';
import {
  continuitySituations,
  continuityTraps,
  continuityWorlds,
  type WorldSituation,
} from './continuity-fixture/continuity-fixture.ts';
import type { FixtureWorld } from './continuity-fixture/world.ts';
import { askInWorld, type Outcome } from './continuity-world.ts';

describe('continuity across directories', () => {
  it('recalls the right conversation first, or as one of two that are offered, in nine of ten situations', async () => {
    const outcomes = await askAll(continuitySituations);
    const right = outcomes.filter(isRight);
    const offered = right.filter(({ prepared }) => prepared.why === 'two-candidates').length;
    const ways = (['content', 'deixis', 'time', 'mixed'] as const).map((by) => {
      const all = outcomes.filter(({ situation }) => situation.by === by);
      return `${by} ${all.filter(isRight).length}/${all.length}`;
    });
    tell(
      `continuity: ${share(right.length, outcomes.length)} recalled right, ${offered} as one of two (${ways.join(', ')})`,
      outcomes,
    );
    expect(right.length / outcomes.length).toBeGreaterThanOrEqual(0.9);
  }, 60_000);

  it('recalls nothing in any trap', async () => {
    const outcomes = await askAll(continuityTraps);
    const sprung = outcomes.filter(({ recalled }) => recalled.length > 0);
    console.log(`continuity traps without recall: ${share(outcomes.length - sprung.length, outcomes.length)}`);
    expect(sprung.map(describeOutcome)).toEqual([]);
  }, 60_000);

  it('finds what is named also among the conversations of all worlds, and nothing of what is hidden', async () => {
    const named = continuitySituations.filter(({ situation: { by } }) => by === 'content' || by === 'mixed');
    const outcomes = await askAll(named, continuityWorlds);
    const right = outcomes.filter(isRight);
    tell(`continuity among all worlds: ${share(right.length, outcomes.length)} recalled right`, outcomes);
    const traps = await askAll(continuityTraps, continuityWorlds);
    const quiet = traps.filter(({ recalled }) => recalled.length === 0);
    console.log(`continuity traps among all worlds: ${share(quiet.length, traps.length)} without recall`);
    for (const outcome of traps) if (outcome.recalled.length > 0) console.log(`  sprung ${describeOutcome(outcome)}`);
    expect(right.length / outcomes.length).toBeGreaterThanOrEqual(0.9);
    const hidden = continuityWorlds.flatMap(hiddenIn);
    expect(traps.flatMap(({ recalled }) => recalled).filter((id) => hidden.includes(id))).toEqual([]);
  }, 120_000);
});

async function askAll(all: readonly WorldSituation[], others: readonly FixtureWorld[] = []): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { world, situation } of all) outcomes.push(await askInWorld(world, situation, others));
  return outcomes;
}

function isRight({ situation, recalled, prepared }: Outcome): boolean {
  const counted = recalled.slice(0, prepared.why === 'two-candidates' ? 2 : 1);
  return counted.some((id) => situation.expect.includes(id));
}

/** Seen from no other project. */
function hiddenIn({ projects, conversations }: FixtureWorld): string[] {
  const secret = new Set(projects.filter((project) => project.private).map(({ key }) => key));
  return conversations.filter(({ project, excluded }) => excluded || secret.has(project)).map(({ id }) => id);
}

function tell(line: string, outcomes: readonly Outcome[]): void {
  console.log([line, ...outcomes.filter((each) => !isRight(each)).map((each) => `  missed ${describeOutcome(each)}`)].join('\n'));
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`;
}

function describeOutcome({ situation: { id, says, expect: wanted }, recalled, prepared: { why, intent } }: Outcome): string {
  return `${id}: ${says} → [${recalled.join(', ')}] for [${wanted.join(', ')}] (${why}, ${intent.kind}: ${intent.content})`;
}
