// Situations in which a person goes on in another directory, written for measuring how often the right conversation is recalled.
// Made up for this purpose; it depends on no index and no store.
import { chineseWorldsLifeAndStudy } from './chinese-worlds-life-and-study.ts';
import { chineseWorldsRobotsAndCode } from './chinese-worlds-robots-and-code.ts';
import { englishWorldsCode } from './english-worlds-code.ts';
import { englishWorldsLife } from './english-worlds-life.ts';
import { freshWorlds } from './fresh-worlds.ts';
import { heldOutWorldsChinese } from './held-out-worlds-chinese.ts';
import { heldOutWorldsEnglish } from './held-out-worlds-english.ts';
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

/**
 * Worlds that no number of recall was chosen by. Asked for the first time, on 15 November 2026, 31 of 40 were right. What was missed
 * led to counting a question and its answer together, to words of little substance counting less and to pairs across two words: since
 * then it says less about what can be expected elsewhere.
 */
export const heldOutWorlds: readonly FixtureWorld[] = [...heldOutWorldsChinese, ...heldOutWorldsEnglish];

/** Those where a conversation should be recalled. */
export const continuitySituations = situationsOf(continuityWorlds);
export const heldOutSituations = situationsOf(heldOutWorlds);
export const freshSituations = situationsOf(freshWorlds);

/** Those where nothing may be. */
export const continuityTraps = trapsOf(continuityWorlds);
export const heldOutTraps = trapsOf(heldOutWorlds);
export const freshTraps = trapsOf(freshWorlds);

function situationsOf(worlds: readonly FixtureWorld[]): readonly WorldSituation[] {
  return listAll(worlds).filter(({ situation }) => situation.trap === undefined);
}

function trapsOf(worlds: readonly FixtureWorld[]): readonly WorldSituation[] {
  return listAll(worlds).filter(({ situation }) => situation.trap !== undefined);
}

function listAll(worlds: readonly FixtureWorld[]): WorldSituation[] {
  return worlds.flatMap((world) => world.situations.map((situation) => ({ world, situation })));
}
