// A backup taken while others write is a store again when restored, and nothing that was changed on the way passes for one.
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/model/id.ts';
import { restoreBackup } from '../../src/store/backup.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { digest } from '../crash/entry-mark.ts';
import type { SharedStoreInput, SharedStoreLine } from '../crash/shared-store-child.ts';
import { campaignScale, scaled } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { listPaths } from '../support/raw-files.ts';
import { campaignSeed, createSeededRandom } from '../support/seeded-random.ts';
import { openSubject, subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('../crash/shared-store-child.ts', import.meta.url));
});

const timeout = 60_000 * Math.max(1, campaignScale);

describe('a backup while two processes write', () => {
  it.each(subjectNames)(
    '%s: restores to everything that was acknowledged before it, and to nothing else',
    { timeout },
    async (subject) => {
      const folder = createTemporaryFolder('backup');
      const source = join(folder, 'store');
      const store = await openSubject(subject, source, { redactor: false });
      const shared = [(await store.create({ key: 'shared' })).id];
      const fork = await store.fork(shared[0] as ConversationId);
      await store.append(fork.id, { kind: 'message', role: 'user', text: 'of the fork' });
      const acknowledged: [string, string][] = [];
      const children = [1, 2].map((process) => {
        const input: SharedStoreInput = { subject, folder: source, role: 'writer', process, shared, appends: 1_000_000 };
        return new Child<SharedStoreLine>(program, input);
      });
      for (const child of children) {
        expect(await child.next()).toEqual({ tells: 'ready' });
        child.send('go');
        void collect(child, acknowledged);
      }
      const backups: { path: string; before: [string, string][] }[] = [];
      for (let i = 0; i < scaled(3); i++) {
        const some = acknowledged.length + 10;
        await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(some);
        const before = [...acknowledged];
        const path = join(folder, `backup ${i}`);
        await store.backup(path);
        backups.push({ path, before });
      }
      for (const child of children) child.kill();
      for (const child of children) await child.ended;
      expect(backups.at(-1)?.before.length).toBeGreaterThan(10);
      const present = await describeStore(store);

      for (const { path, before } of backups) {
        const home = `${path} restored`;
        await restoreBackup(path, home);
        const restored = await openSubject(subject, join(home, 'store'), { redactor: false });
        const found = await describeStore(restored);
        for (const [id, entries] of found) expect(entries).toEqual(present.get(id)?.slice(0, entries.length));
        const held = new Map([...found.values()].flat().map(({ id, text }) => [id, digest(text)]));
        expect(before.filter(([id, sum]) => held.get(id) !== sum)).toEqual([]);
        expect((await restored.verify()).problems).toEqual([]);
        // It is a store like any other: it takes new entries where it stopped.
        const { lastSeq } = await restored.get(shared[0] as ConversationId);
        const result = await restored.append(shared[0] as ConversationId, { kind: 'message', role: 'user', text: 'goes on' });
        expect(result.entries.map((entry) => entry.seq)).toEqual([lastSeq + 1]);
        await restored.close();
      }
      await store.close();
    },
  );
});

describe(`a backup that was changed, seed ${campaignSeed}`, () => {
  it.each(subjectNames)(
    '%s: is refused, whichever byte or file it is, and leaves no home behind',
    { timeout },
    async (subject) => {
      const random = createSeededRandom(campaignSeed);
      const folder = createTemporaryFolder('backup-changed');
      const store = await openSubject(subject, join(folder, 'store'), { redactor: false });
      for (let i = 0; i < 3; i++) {
        const { id } = await store.create({ key: `key ${i}` });
        await store.append(id, { kind: 'message', role: 'user', text: 'words '.repeat(100) });
      }
      const good = join(folder, 'good');
      await store.backup(good);
      await store.close();
      const files = listPaths(good).filter((path) => statSync(path).isFile());
      const home = join(folder, 'home');
      const accepted: string[] = [];
      const attempt = async (what: string, harm: (copy: (path: string) => string) => void) => {
        const bad = join(folder, 'bad');
        cpSync(good, bad, { recursive: true });
        harm((path) => path.replace(good, bad));
        const code = await restoreBackup(bad, home).then(
          () => 'accepted',
          (error: { code: string }) => error.code,
        );
        if (code !== 'backup-invalid') accepted.push(`${what}: ${code}`);
        if (code !== 'accepted') expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined();
        rmSync(bad, { recursive: true });
        rmSync(home, { recursive: true, force: true });
      };
      for (const file of files) await attempt(`without ${file}`, (copy) => rmSync(copy(file)));
      for (let i = 0; i < scaled(40); i++) {
        const file = random.pick(files);
        const bytes = readFileSync(file);
        const offset = random.between(0, bytes.length);
        const mask = 1 << random.between(0, 8);
        bytes[offset] = (bytes[offset] as number) ^ mask;
        await attempt(`${file} byte ${offset} ^ ${mask}`, (copy) => writeFileSync(copy(file), bytes));
      }
      expect(accepted).toEqual([]);
      await restoreBackup(good, home);
      const restored = await openSubject(subject, join(home, 'store'), { redactor: false });
      expect((await restored.list()).items.length).toBe(3);
      await restored.close();
    },
  );
});

async function collect(child: Child<SharedStoreLine>, acknowledged: [string, string][]): Promise<void> {
  for await (const line of child) if (line.tells === 'appended') acknowledged.push(...line.entries);
}

async function describeStore(store: ConversationStore): Promise<Map<string, { id: string; text: string }[]>> {
  const found = new Map<string, { id: string; text: string }[]>();
  for (const { id } of (await store.list({ limit: 100 })).items) {
    const entries: { id: string; text: string }[] = [];
    for await (const entry of store.readAll(id)) entries.push({ id: entry.id, text: (entry as { text: string }).text });
    found.set(id, entries);
  }
  return found;
}
