// A process of its own for the tests: appends to the conversations named on its command line and prints each acknowledged position.
// A conversation may be named by its key; the first process to ask for it makes it. The first refusal is printed and ends it.

import { isContinuoError } from '../../src/model/error.ts';
import { type ConversationId, createConversationId } from '../../src/model/id.ts';
import { JsonlDriver } from '../../src/store/drivers/jsonl/jsonl-driver.ts';

const [folder = '', name = '', count = '0', padding = '0', ...targets] = process.argv.slice(2);
const driver = new JsonlDriver({ folder });
await driver.open();

for (let i = 1; i <= Number(count); i++) {
  for (const target of targets) {
    const conversationId = await idOf(target);
    const text = `${name} ${i}`;
    const shared = { at: Date.now(), kind: 'message', header: '{"role":"user"}', data: null, expiresAt: null } as const;
    const entry = { ...shared, text: text + ' '.repeat(Number(padding)) };
    try {
      const [outcome] = await driver.append([{ conversationId, entries: [entry], now: Date.now() }]);
      if (!outcome || 'error' in outcome) throw outcome?.error;
      process.stdout.write(`${conversationId} ${outcome.firstSeq} ${text}\n`);
    } catch (error) {
      if (!isContinuoError(error)) throw error;
      process.stdout.write(`${conversationId} 0 ${error.code}\n`);
      process.exit(0);
    }
  }
}
await driver.close();

async function idOf(target: string): Promise<ConversationId> {
  if (target.startsWith('cnv_')) return target as ConversationId;
  const known = await driver.findByKey(target);
  if (known) return known.id;
  const now = Date.now();
  const id = createConversationId(now);
  try {
    await driver.insertConversation({
      id,
      key: target,
      tags: [],
      pinned: false,
      policy: { kind: 'full' },
      meta: {},
      createdAt: now,
      activeAt: now,
      lastSeq: 0,
    });
    return id;
  } catch (error) {
    if (isContinuoError(error, 'key-taken')) return error.details.holder as ConversationId;
    throw error;
  }
}
