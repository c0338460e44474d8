// An encrypted store gives nothing away: not in its files, not in their names, not in temporary files, not in its backups.
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { createMarkedWord, findWords } from '../support/raw-files.ts';
import { needs } from '../support/require-system.ts';
import { isEncrypted, openSubject, subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import type { EncryptedInput } from './encrypted-child.ts';
import { Telltale } from './telltale.ts';

const subjects = subjectNames.filter(isEncrypted);

describe('an encrypted store', () => {
  it.each(subjects)('%s: holds no plain text at any moment of its life', async (subject) => {
    const folder = createTemporaryFolder('raw-encrypted');
    const said = new Telltale();
    const look = () => expect(findWords(folder, said.words)).toEqual({});
    let now = Date.UTC(2026, 0, 1);
    const options = { redactor: false, clock: () => now } as const;
    const store = await openSubject(subject, join(folder, 'store'), options);
    const { id } = await store.create(said.conversation());
    const fleeting = await store.create({
      ...said.conversation(),
      policy: { kind: 'ttl', milliseconds: 1, afterwards: 'headers-only' },
    });
    look();
    for (const length of [10, 1000, 30_000]) {
      for (const conversation of [id, fleeting.id]) await store.append(conversation, said.entries(length));
      await store.rename(id, said.word());
      await store.tag(id, { add: [said.word()] });
      look();
    }
    const lease = await store.acquireLease(id, { owner: said.word() });
    look();
    await lease.release();
    const fork = await store.fork(id, { title: said.word() });
    await store.append(fork.id, said.entries(100));
    await store.list({ title: said.word() });
    look();
    now += 1000;
    await store.sweep();
    look();
    await store.backup(join(folder, 'backup'));
    look();
    if (subject.startsWith('sqlite')) await store.compressCold(now + 1);
    await store.trash(fork.id, { releaseKey: true });
    await store.trash(id, { releaseKey: true });
    look();
    await store.purge(fork.id);
    look();
    await store.verify();
    await store.close();
    look();
    const reopened = await openSubject(subject, join(folder, 'store'), options);
    await reopened.restore(id);
    expect((await reopened.read(id, { limit: 1 })).items.length).toBe(1);
    await reopened.close();
    look();
  });

  it.each(['sqlite', 'jsonl'] as const)('%s: a home opened with a passphrase holds neither it nor any text', async (driver) => {
    const home = createTemporaryFolder('raw-home');
    const said = new Telltale();
    const passphrase = said.word();
    const store = await openStore({ home, driver, key: { passphrase } });
    const { id } = await store.create(said.conversation());
    await store.append(id, said.entries(2000));
    expect(findWords(home, said.words)).toEqual({});
    await store.close();
    expect(findWords(home, said.words)).toEqual({});
    await expect(openStore({ home, key: { passphrase: 'another' } })).rejects.toMatchObject({ code: 'wrong-key' });
    await expect(openStore({ home })).rejects.toMatchObject({ code: 'key-required' });
  });

  const canLook = needs(process.platform === 'linux', 'Linux, to look at the files another process has open');
  it.runIf(canLook).each(subjects)('%s: writes no plain text into temporary files', async (subject) => {
    const folder = createTemporaryFolder('raw-temporary');
    const word = createMarkedWord();
    const input: EncryptedInput = { subject, folder: join(folder, 'store'), backup: join(folder, 'backup'), word };
    const child = new Child<{ ready: true }>(await bundleProgram(new URL('encrypted-child.ts', import.meta.url)), input);
    expect(await child.next()).toEqual({ ready: true });
    const seen: Record<string, boolean> = {};
    let isOver = false;
    const end = child.finish().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      lookThroughOpenFiles(child.pid, word, seen);
      await nextTurn();
    }
    await end;
    expect(Object.entries(seen).filter(([, holdsWord]) => holdsWord)).toEqual([]);
    expect(Object.keys(seen).length).toBeGreaterThan(0);
  });
});

/** Notes for every file the process has open whether the word is in its first megabyte. */
function lookThroughOpenFiles(pid: number, word: string, seen: Record<string, boolean>): void {
  const folder = `/proc/${pid}/fd`;
  try {
    for (const name of readdirSync(folder)) {
      const target = readlinkSync(join(folder, name));
      if (!target.startsWith('/') || target.startsWith('/dev/')) continue;
      const file = openSync(join(folder, name), 'r');
      const bytes = Buffer.alloc(1024 * 1024);
      readSync(file, bytes, 0, bytes.length, 0);
      closeSync(file);
      seen[target] ||= bytes.includes(word);
    }
  } catch {
    // Files are closed, and processes end, between two looks.
  }
}
