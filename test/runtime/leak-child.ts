// Opens, uses, cancels and closes conversations, and tells how much memory is left in use after collecting what nobody holds.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openStore } from '../../src/open-store.ts';
import { Session } from '../../src/runtime/session.ts';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { childInput, tell } from '../support/child-side.ts';
import { makeTool } from './make-tool.ts';

const { home, warmUp, cycles, reports } = childInput<{ home: string; warmUp: number; cycles: number; reports: number[] }>();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const store = await openStore({ home });
const model = createScriptedModel(
  (_, step) =>
    step % 3 === 0
      ? { text: 'looking', toolCalls: [{ tool: 'look', input: {} }] }
      : { text: ['some ', 'words'], beforeEach: nextTick },
  { keepsRequests: false },
);
const session = Session.create({ store, model, tools: [makeTool()] });
session.events.subscribe({ capacity: 64 });
let collected = 0;
const watched = new FinalizationRegistry(() => {
  collected += 1;
});

// What V8 learns of the program stays in the heap and is nobody's leak: it learns first.
for (let cycle = 1; cycle <= warmUp; cycle++) await useOne(cycle);
for (let cycle = 1; cycle <= cycles; cycle++) {
  await useOne(cycle);
  if (!reports.includes(cycle)) continue;
  for (let i = 0; i < 4; i++) {
    collect();
    await nextTick();
  }
  tell({ cycle, heap: process.memoryUsage().heapUsed, collected, open: session.conversations.length });
}
await session.close();
await store.close();

async function useOne(cycle: number): Promise<void> {
  const conversation = await session.open();
  watched.register(conversation, undefined);
  const answer = conversation.message(`message ${cycle}`).catch(() => undefined);
  if (cycle % 4 === 0) {
    await nextTick();
    conversation.cancel();
  }
  if (cycle % 4 !== 1) await answer;
  await conversation.close();
  await answer;
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
