import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { getSessionManager } from './keyed-sessions.ts';
import { openStore } from './open-store.ts';

it('gives every caller of a home the same manager, over a store it opens and closes itself', async () => {
  const home = await mkdtemp(join(tmpdir(), 'continuo-sessions-'));
  try {
    const sessions = getSessionManager({ home, driver: 'jsonl' });
    expect(getSessionManager({ home: `${home}/.` })).toBe(sessions);
    await sessions.addMessage('feishu:oc_1', 'user', '你好');
    await sessions.close();
    const again = getSessionManager({ home });
    expect(again).not.toBe(sessions);
    expect(await again.getMessages('feishu:oc_1')).toMatchObject([{ role: 'user', content: '你好' }]);
    await again.close();
    const store = await openStore({ home });
    expect(store.driverName).toBe('jsonl');
    await store.close();
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
