// A disk that fills up, and is emptied again, under a store that stays open.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/model/id.ts';
import { restoreBackup } from '../../src/store/backup.ts';
import { campaignScale, scaled } from '../support/campaign.ts';
import { needs } from '../support/require-system.ts';
import { campaignSeed, createSeededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { canMountDisks, fillDisk, mountSmallDisk } from '../support/small-disk.ts';
import { openSubject, type SubjectName, subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { codeOf, FaultLedger } from './fault-ledger.ts';

const canRun = needs(canMountDisks(), 'root and mount, to make a small disk');

describe.runIf(canRun)(`a full disk, seed ${campaignSeed}`, () => {
  const promise = '%s: refuses with disk-full, loses nothing, adds nothing, and goes on in the same process';
  it.each(subjectNames)(promise, { timeout: 120_000 * Math.max(1, campaignScale) }, async (subject) => {
    const random = createSeededRandom(campaignSeed);
    for (let disks = 0; disks < scaled(1); disks++) await fillAndFree(subject, random);
  });

  it.each(subjectNames)('%s: a purge that finds no space can be repeated when there is some', async (subject) => {
    const disk = mountSmallDisk(4);
    const store = await openSubject(subject, join(disk, 'store'), { redactor: false });
    const said = new FaultLedger(store);
    await said.create('kept');
    const doomed = await store.create({ key: 'doomed' });
    for (let i = 0; i < 20; i++) {
      await store.append(doomed.id, { kind: 'message', role: 'user', text: 'to be forgotten '.repeat(2000) });
    }
    await said.appendMany(20);
    await store.trash(doomed.id);
    const free = fillDisk(disk);
    expect(['fine', 'disk-full']).toContain(await codeOf(store.purge(doomed.id)));
    await said.check();
    free();
    if (await store.find(doomed.id)) await store.purge(doomed.id);
    expect(await store.find(doomed.id)).toBeUndefined();
    await said.appendMany(5);
    await said.check();
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });

  it.each(subjectNames)('%s: a draft that finds no space is refused, and the one before it stays', async (subject) => {
    const disk = mountSmallDisk(4);
    const store = await openSubject(subject, join(disk, 'store'), { redactor: false });
    const { id } = await store.create();
    const draft = (words: number) => ({ kind: 'message', role: 'assistant', text: 'word '.repeat(words) }) as const;
    await store.putDraft(id, draft(10));
    let last = 10;
    const free = fillDisk(disk, 64 * 1024);
    let code = 'fine';
    for (let words = 100; code === 'fine' && words < 10_000_000; words *= 2) {
      code = await codeOf(store.putDraft(id, draft(words)));
      if (code === 'fine') last = words;
      expect(await store.findDraft(id)).toMatchObject(draft(last));
    }
    expect(code).toBe('disk-full');
    free();
    expect(await store.findDraft(id)).toMatchObject(draft(last));
    await store.putDraft(id, draft(5000));
    expect(await store.findDraft(id)).toMatchObject(draft(5000));
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });

  it.each(subjectNames)('%s: a store cannot be opened on a full disk, and can be when there is space', async (subject) => {
    const disk = mountSmallDisk(1);
    const folder = join(disk, 'store');
    const free = fillDisk(disk);
    expect(await codeOf(openSubject(subject, folder))).toBe('disk-full');
    free();
    const store = await openSubject(subject, folder, { redactor: false });
    const said = new FaultLedger(store);
    await said.create('one');
    await said.appendMany(3);
    await said.check();
    await store.close();
  });

  it.each(subjectNames)('%s: a backup that does not fit is refused, is no backup, and the next one is', async (subject) => {
    const folder = createTemporaryFolder('full-backup');
    const disk = mountSmallDisk(4);
    const store = await openSubject(subject, join(folder, 'store'), { redactor: false });
    const said = new FaultLedger(store);
    await said.create('one');
    await said.appendMany(50);
    const free = fillDisk(disk, 20_000);
    expect(await codeOf(store.backup(join(disk, 'first')))).toBe('disk-full');
    expect(await codeOf(restoreBackup(join(disk, 'first'), join(folder, 'home')))).toBe('backup-invalid');
    free();
    await store.backup(join(disk, 'second'));
    await restoreBackup(join(disk, 'second'), join(folder, 'home'));
    await store.close();
    const restored = await openSubject(subject, join(folder, 'home', 'store'), { redactor: false });
    await said.check(restored);
    await restored.close();
  });
});

/** Fills one disk and frees it again several times, with a little more or less space left each time. */
async function fillAndFree(subject: SubjectName, random: SeededRandom): Promise<void> {
  const disk = mountSmallDisk(16);
  const folder = join(disk, 'store');
  const store = await openSubject(subject, folder, { redactor: false });
  const said = new FaultLedger(store);
  for (const key of ['one', 'two', 'three']) await said.create(key);
  await said.appendMany(30);
  const ids = said.ids as [ConversationId, ConversationId, ConversationId];

  for (let round = 0; round < 6; round++) {
    const free = fillDisk(disk, random.between(0, 40) * 512);
    expect(await said.appendUntilRefused()).toEqual(['disk-full']);
    // Whatever else is asked for meanwhile works or is refused for the same reason; what was said stays readable.
    const refusals = await Promise.all([
      codeOf(store.rename(ids[0], `name ${round} ${'x'.repeat(500)}`)),
      codeOf(store.tag(ids[1], { add: [`tag ${round}`] })),
      codeOf(store.fork(ids[0], { at: 1 })),
      codeOf(store.create({ title: 'one more' })),
      codeOf(store.trash(ids[2])),
      codeOf(store.verify()),
    ]);
    expect(refusals.filter((code) => code !== 'fine' && code !== 'disk-full')).toEqual([]);
    await said.check();
    free();

    await store.restore(ids[2]);
    await said.appendMany(10);
    await said.check();
    expect((await store.rename(ids[0], `free again ${round}`)).title).toBe(`free again ${round}`);
    expect((await store.verify()).problems).toEqual([]);
  }
  await store.close();
  const reopened = await openSubject(subject, folder, { redactor: false });
  await said.check(reopened);
  expect((await reopened.verify()).problems).toEqual([]);
  await reopened.close();
}
