import { describe, expect, it } from 'vitest';
import { readIntent } from '../../src/recall/intent/continue-intent.ts';
import {
  continuitySituations,
  continuityTraps,
  continuityWorlds,
  freshSituations,
  freshTraps,
  heldOutSituations,
  heldOutTraps,
  heldOutWorlds,
  type WorldSituation,
} from './continuity-fixture/continuity-fixture.ts';
import { freshWorlds } from './continuity-fixture/fresh-worlds.ts';
import type { FixtureSituation, FixtureWorld } from './continuity-fixture/world.ts';
import { askAmongAll, askInWorld, type Means, type Outcome } from './continuity-world.ts';

/**
 * The second was held out: no number of recall was chosen by it. The third is what recall does where nobody looked before; by words alone
 * it misses what is asked in other words.
 */
const fixtures = [
  { name: 'continuity', worlds: continuityWorlds, situations: continuitySituations, traps: continuityTraps, least: 0.9 },
  { name: 'continuity, held out', worlds: heldOutWorlds, situations: heldOutSituations, traps: heldOutTraps, least: 0.9 },
  { name: 'continuity, fresh', worlds: freshWorlds, situations: freshSituations, traps: freshTraps, least: 0.8 },
];

const means: readonly Means[] = ['words and meaning', 'words alone'];
const ways = fixtures.flatMap((fixture) => means.map((by) => ({ ...fixture, by, name: `${fixture.name}, ${by}` })));

describe.each(ways)('$name: across directories', ({ name, worlds, situations, traps, least, by }) => {
  it('recalls the right conversation first, or as one of two that are offered, in most situations', async () => {
    const outcomes = await askEach(situations, by);
    const right = outcomes.filter(isRight);
    const offered = right.filter(({ prepared }) => prepared.why === 'two-candidates').length;
    const kinds = (['content', 'deixis', 'time', 'mixed'] as const).map((kind) => {
      const all = outcomes.filter(({ situation }) => situation.by === kind);
      return `${kind} ${all.filter(isRight).length}/${all.length}`;
    });
    tell(
      `${name}: ${share(right.length, outcomes.length)} recalled right, ${offered} as one of two (${kinds.join(', ')})`,
      outcomes,
    );
    expect(right.length / outcomes.length).toBeGreaterThanOrEqual(least);
  });

  it('recalls nothing in any trap', async () => {
    const outcomes = await askEach(traps, by);
    const sprung = outcomes.filter(({ recalled }) => recalled.length > 0);
    console.log(`${name}, traps without recall: ${share(outcomes.length - sprung.length, outcomes.length)}`);
    expect(sprung.map(describeOutcome)).toEqual([]);
  });

  it('finds what is named among the conversations of all worlds, and nothing that is hidden', async () => {
    const named = situations.filter(({ situation }) => names(situation));
    const outcomes = await askAmongAll(worlds, named, by);
    const right = outcomes.filter(isRight);
    tell(`${name}, among all worlds: ${share(right.length, outcomes.length)} recalled right`, outcomes);
    const asked = await askAmongAll(
      worlds,
      traps.filter(({ situation }) => names(situation)),
      by,
    );
    const sprung = asked.filter(({ recalled }) => recalled.length > 0);
    console.log(`${name}, traps among all worlds: ${share(asked.length - sprung.length, asked.length)} without recall`);
    for (const outcome of sprung) console.log(`  sprung ${describeOutcome(outcome)}`);
    expect(right.length / outcomes.length).toBeGreaterThanOrEqual(least);
    expect(sprung.length / asked.length).toBeLessThanOrEqual(0.1);
    const hidden = worlds.flatMap(hiddenIn);
    expect(asked.flatMap(({ recalled }) => recalled).filter((id) => hidden.includes(id))).toEqual([]);
  });
});

/** Says what it is about, and not when: asked on another day it means the same. */
function names({ says }: FixtureSituation): boolean {
  const { content, when } = readIntent(says, { now: 0 });
  return content !== '' && when === undefined;
}

async function askEach(all: readonly WorldSituation[], means: Means): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const each of all) outcomes.push(await askInWorld(each, means));
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
