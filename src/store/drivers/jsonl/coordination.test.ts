import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { ConversationStore } from '../../conversation-store.ts';
import { JsonlDriver } from './jsonl-driver.ts';

const place = mkdtempSync(join(tmpdir(), 'continuo-coordination-'));

afterEach(() => rmSync(place, { recursive: true, force: true }));

it('a store whose folder is away refuses every write as moved, and goes on when it is back', async () => {
  const folder = join(place, 'store');
  const away = join(place, 'elsewhere');
  const store = await ConversationStore.open({ driver: new JsonlDriver({ folder }), redactor: false });
  const { id } = await store.create();
  const say = (text: string) => store.append(id, { kind: 'message', role: 'user', text });
  await say('before');
  renameSync(folder, away);
  // Whether the folder is still there is looked at every so often.
  await sleep(100);
  for (let i = 0; i < 3; i++) await expect(say('lost?')).rejects.toMatchObject({ code: 'store-moved' });
  renameSync(away, folder);
  expect((await say('after')).entries).toMatchObject([{ seq: 2 }]);
  expect((await store.read(id)).items).toMatchObject([{ text: 'before' }, { text: 'after' }]);
  await store.close();
  await expect(say('closed')).rejects.toMatchObject({ code: 'store-closed' });
});
