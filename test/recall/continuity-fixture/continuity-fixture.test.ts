import { describe, expect, it } from 'vitest';
import { readIntent } from '../../../src/recall/intent/continue-intent.ts';
import {
  continuitySituations,
  continuityTraps,
  continuityWorlds,
  freshSituations,
  freshTraps,
  heldOutSituations,
  heldOutTraps,
  heldOutWorlds,
} from './continuity-fixture.ts';
import { freshWorlds } from './fresh-worlds.ts';
import { conversationsBefore, type FixtureWorld, messagesOf, momentOf, permittedBefore } from './world.ts';

const allWorlds = [...continuityWorlds, ...heldOutWorlds, ...freshWorlds];
const allSituations = [...continuitySituations, ...heldOutSituations, ...freshSituations];
const allTraps = [...continuityTraps, ...heldOutTraps, ...freshTraps];
const repeated = (ids: readonly string[]) => ids.filter((id, i) => ids.indexOf(id) !== i);
const isChinese = (text: string) => /\p{Script=Han}/u.test(text);

describe('the continuity fixture', () => {
  it('holds at least 60 situations, half of them Chinese, and 20 traps of every kind', () => {
    const chinese = continuitySituations.filter(({ world }) => world.language === 'zh').length;
    expect(continuitySituations.length).toBeGreaterThanOrEqual(60);
    expect(Math.abs(chinese - continuitySituations.length / 2)).toBeLessThanOrEqual(2);
    expect(continuityTraps.length).toBeGreaterThanOrEqual(20);
    expect(new Set(continuityTraps.map(({ situation }) => situation.trap))).toEqual(
      new Set(['unrelated', 'private', 'excluded', 'word']),
    );
  });

  it('holds out 40 situations, half of them Chinese, and 14 traps of every kind, for measuring alone', () => {
    expect(heldOutSituations.filter(({ world }) => world.language === 'zh')).toHaveLength(20);
    expect(heldOutSituations).toHaveLength(40);
    expect(heldOutTraps).toHaveLength(14);
    expect(new Set(heldOutTraps.map(({ situation }) => situation.trap))).toEqual(
      new Set(['unrelated', 'private', 'excluded', 'word']),
    );
    for (const { world, situation } of heldOutSituations) {
      const elsewhere = world.conversations.filter(
        ({ id, project }) => situation.expect.includes(id) && project !== situation.in,
      );
      expect([situation.id, elsewhere.length]).toEqual([situation.id, situation.expect.length]);
    }
  });

  it('asks in every way in both languages', () => {
    for (const language of ['zh', 'en']) {
      for (const by of ['content', 'deixis', 'time', 'mixed']) {
        const some = continuitySituations.filter(({ world, situation }) => world.language === language && situation.by === by);
        expect([language, by, some.length >= 5]).toEqual([language, by, true]);
      }
    }
  });

  it('has no id twice', () => {
    expect(repeated(allWorlds.flatMap(({ situations }) => situations.map(({ id }) => id)))).toEqual([]);
    expect(repeated(allWorlds.flatMap(({ conversations }) => conversations.map(({ id }) => id)))).toEqual([]);
    for (const { projects } of allWorlds) {
      expect(repeated(projects.map(({ key }) => key))).toEqual([]);
      expect(repeated(projects.map(({ path }) => path))).toEqual([]);
    }
  });

  it.each(allWorlds.map((world) => [world.name, world] as const))('%s names only what exists', (_name, world) => {
    const projects = new Set(world.projects.map(({ key }) => key));
    for (const conversation of world.conversations) {
      expect(projects).toContain(conversation.project);
      expect(conversation.says.every((text) => text.trim() !== '')).toBe(true);
      expect(conversation.interrupted === undefined || conversation.says.length % 2 === 0).toBe(true);
      expect(isTime(world, conversation.at)).toBe(true);
    }
    for (const situation of world.situations) {
      expect(projects).toContain(situation.in);
      expect(isTime(world, situation.at)).toBe(true);
      expect((situation.trap === undefined) === (situation.by !== undefined)).toBe(true);
      expect((situation.trap === undefined) === situation.expect.length > 0).toBe(true);
      expect(isChinese(situation.says)).toBe(world.language === 'zh');
    }
  });

  it('expects only what was said before, whole, and may be seen from there', () => {
    for (const { world, situation } of allSituations) {
      const permitted = permittedBefore(world, situation);
      const expected = permitted.filter(({ id }) => situation.expect.includes(id));
      expect([situation.id, expected.length]).toEqual([situation.id, situation.expect.length]);
      for (const conversation of expected) {
        const last = messagesOf(world, conversation).at(-1)?.at ?? 0;
        expect([situation.id, last < momentOf(world, situation.at)]).toEqual([situation.id, true]);
      }
    }
  });

  it('lets most follow-ups cross into another directory, with other conversations about', () => {
    const crossing = continuitySituations.filter(({ world, situation }) =>
      world.conversations.some(({ id, project }) => situation.expect.includes(id) && project !== situation.in),
    );
    expect(crossing.length).toBeGreaterThanOrEqual(60);
    const distracted = continuitySituations.filter(({ world, situation }) => conversationsBefore(world, situation).length > 1);
    expect(distracted.length / continuitySituations.length).toBeGreaterThan(0.8);
  });

  it('has something hidden behind every trap of privacy', () => {
    for (const { world, situation } of allTraps) {
      if (situation.trap !== 'private' && situation.trap !== 'excluded') continue;
      const hidden = conversationsBefore(world, situation).length - permittedBefore(world, situation).length;
      expect([situation.id, hidden > 0]).toEqual([situation.id, true]);
    }
  });

  it('points without content to the newest conversation that may be seen', () => {
    for (const { world, situation } of allSituations.filter((each) => each.situation.by === 'deixis')) {
      const newest = permittedBefore(world, situation).sort((a, b) => momentOf(world, b.at) - momentOf(world, a.at))[0];
      expect([situation.id, situation.expect.includes(newest?.id ?? '')]).toEqual([situation.id, true]);
    }
  });

  it('is read as it is meant', () => {
    const misread: string[] = [];
    for (const { world, situation } of [...continuitySituations, ...continuityTraps]) {
      const now = momentOf(world, situation.at);
      const { kind, when } = readIntent(situation.says, { now, offsetMinutes: world.offsetMinutes });
      const expected = world.conversations.filter(({ id }) => situation.expect.includes(id));
      const isRight =
        situation.by === 'deixis'
          ? kind === 'continue'
          : situation.by === 'mixed'
            ? kind === 'mixed'
            : situation.by === 'time'
              ? when !== undefined && expected.some(({ at }) => momentOf(world, at) >= when.from && momentOf(world, at) < when.to)
              : situation.trap === 'word' || situation.trap === 'unrelated'
                ? kind === 'search'
                : true;
      if (!isRight) misread.push(`${situation.id}: ${situation.says} (${kind})`);
    }
    expect(misread).toEqual([]);
  });
});

function isTime(world: FixtureWorld, at: string): boolean {
  return /^\d\d-\d\d \d\d:\d\d$/.test(at) && Number.isFinite(momentOf(world, at));
}
