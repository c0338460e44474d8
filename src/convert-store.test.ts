import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles } from './base/private-files.ts';
import { convertStore } from './convert-store.ts';
import type { NewEntry } from './model/entry.ts';
import { type OpenStoreOptions, openStore } from './open-store.ts';
import type { ConversationStore } from './store/conversation-store.ts';

const day = 24 * 60 * 60 * 1000;
const passphrase = { passphrase: '正确的马 battery staple' };
let home: string;

beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), 'continuo-convert-')), 'home');
});

afterEach(async () => {
  await rm(join(home, '..'), { recursive: true, force: true });
});

describe('convertStore', () => {
  it('carries everything through sqlite, sealed jsonl, jsonl and encrypted sqlite unchanged', async () => {
    const before = await fill({ home });
    const keyFile = join(home, '..', 'key');
    await writeFile(keyFile, 'k'.repeat(64), { mode: 0o600 });
    const steps = [
      { from: undefined, to: passphrase, driver: 'sqlite' },
      { from: passphrase, to: { keyFile }, driver: 'jsonl' },
      { from: { keyFile }, to: undefined, driver: 'jsonl' },
      { from: undefined, to: { keyFile }, driver: 'sqlite' },
      { from: { keyFile }, to: undefined, driver: 'sqlite' },
    ] as const;
    for (const { from, to, driver } of steps) {
      const result = await convertStore({ home, driver, ...(from && { from }), ...(to && { to }) });
      expect(result).toEqual({ conversations: 5, entries: 8, sessions: 0, damagedSessions: [] });
      const store = await openStore({ home, driver, ...(to && { key: to }) });
      expect(await everything(store)).toEqual(before);
      expect((await store.verify()).problems).toEqual([]);
      await store.close();
      expect((await readdir(home)).filter((name) => name.startsWith('store')).length).toBe(2);
      expect(await holdsPlainText()).toBe(to === undefined);
    }
  });

  it('refuses a wrong key, a missing key and a needless key, and leaves the store as it was', async () => {
    const before = await fill({ home, key: passphrase });
    await expect(convertStore({ home })).rejects.toMatchObject({ code: 'key-required' });
    await expect(convertStore({ home, from: { passphrase: 'wrong' } })).rejects.toMatchObject({ code: 'wrong-key' });
    await expect(openStore({ home, key: { passphrase: 'wrong' } })).rejects.toMatchObject({ code: 'wrong-key' });
    await expect(openStore({ home })).rejects.toMatchObject({ code: 'key-required' });
    await convertStore({ home, from: passphrase });
    await expect(convertStore({ home, from: passphrase })).rejects.toMatchObject({ code: 'not-encrypted' });
    const store = await openStore({ home });
    expect(await everything(store)).toEqual(before);
    await store.close();
  });

  it('takes no write that would be lost from somebody who had the store open', async () => {
    for (const driver of ['sqlite', 'jsonl'] as const) {
      const store = await openStore({ home, driver });
      const { id } = await store.create();
      await store.append(id, say('kept'));
      await convertStore({ home, to: passphrase });
      const refusal = await store.append(id, say('lost?')).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'store-moved' });
      await expect(store.putDraft(id, say('lost?'))).rejects.toMatchObject({ code: 'store-moved' });
      await store.close();
      const again = await openStore({ home, key: passphrase });
      expect((await again.read(id)).items).toMatchObject([{ text: 'kept' }]);
      await again.close();
      await rm(home, { recursive: true });
    }
  });
});

/** Forks, trash, ttl gaps, withheld text: whatever a copy could get wrong. */
async function fill(options: OpenStoreOptions): Promise<unknown> {
  let now = 1_700_000_000_000;
  const store = await openStore({ ...options, clock: () => now });
  const origin = await store.create({ title: 'needle title', key: 'feishu:needle', tags: ['a'], pinned: true, meta: { x: 1 } });
  await store.append(origin.id, [
    say('needle one'),
    say('needle two'),
    { kind: 'tool-call', callId: 'c', tool: 't', input: { n: 1 } },
  ]);
  const fork = await store.fork(origin.id, { at: 2 });
  await store.append(fork.id, say('needle fork'));
  await store.putDraft(origin.id, say('needle draft, half of it'));
  await store.append(origin.id, say('needle three'));
  const fading = await store.create({ policy: { kind: 'ttl', milliseconds: day, afterwards: 'delete' } });
  await store.append(fading.id, [say('gone'), say('gone too')]);
  now += day / 2;
  await store.append(fading.id, say('needle young'));
  now += day / 2;
  await store.sweep();
  const trashed = await store.create({ policy: { kind: 'headers-only' } });
  await store.append(trashed.id, [say('secret'), say('secret')]);
  await store.trash(trashed.id);
  const later = await store.create();
  await store.putDraft(later.id, say('needle draft in the trash'));
  await store.trash(later.id);
  const found = await everything(store);
  await store.close();
  return found;
}

async function everything(store: ConversationStore): Promise<unknown> {
  const { items } = await store.list({ trash: 'include' });
  return Promise.all(
    items.map(async (conversation) => ({
      conversation,
      entries: (await store.read(conversation.id)).items,
      draft: await store.findDraft(conversation.id),
    })),
  );
}

async function holdsPlainText(): Promise<boolean> {
  const files = await listFiles(home);
  const contents = await Promise.all(files.map((file) => readFile(join(home, file), 'latin1')));
  return `${files.join()}${contents.join()}`.includes('needle');
}

function say(text: string): NewEntry {
  return { kind: 'message', role: 'user', text };
}
