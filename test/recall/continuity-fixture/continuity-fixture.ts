// Situations in which a person goes on in another directory, written for measuring how often the right conversation is recalled.
// Made up for this purpose; it depends on no index and no store.
import { chineseWorldsLifeAndStudy } from './chinese-worlds-life-and-study.ts';
import { chineseWorldsRobotsAndCode } from './chinese-worlds-robots-and-code.ts';
import { englishWorldsCode } from './english-worlds-code.ts';
import { englishWorldsLife } from './english-worlds-life.ts';
import type { FixtureSituation, FixtureWorld } from './world.ts';

export const continuityWorlds: readonly FixtureWorld[] = [
  ...chineseWorldsRobotsAndCode,
  ...chineseWorldsLifeAndStudy,
  ...englishWorldsCode,
  ...englishWorldsLife,
];

export interface WorldSituation {
  world: FixtureWorld;
  situation: FixtureSituation;
}

const all = continuityWorlds.flatMap((world) => world.situations.map((situation) => ({ world, situation })));

/** Those where a conversation should be recalled. */
export const continuitySituations: readonly WorldSituation[] = all.filter(({ situation }) => situation.trap === undefined);

/** Those where nothing may be. */
export const continuityTraps: readonly WorldSituation[] = all.filter(({ situation }) => situation.trap !== undefined);
