// Storage policies after whole turns with tools, approvals, a summary and a broken answer: the files hold what the policy allows,
// byte for byte, and a replay shows no more.
import { describe, expect, it } from 'vitest';
import { ContinuoError } from '../../src/model/error.ts';
import type { StoragePolicy } from '../../src/model/storage-policy.ts';
import { openStore } from '../../src/open-store.ts';
import { replay } from '../../src/runtime/rollout/replay.ts';
import { Session } from '../../src/runtime/session.ts';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { createMarkedWord, findWords } from '../support/raw-files.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { makeTool } from './make-tool.ts';

const hour = 3_600_000;
const places = ['question', 'answer', 'input', 'result', 'summary of the call', 'grant', 'half an answer', 'summary'] as const;

interface Scene {
  home: string;
  words: Record<(typeof places)[number], string>;
  /** What is found in the files while the conversation is open, and after it was closed. */
  during: string[];
  found(): string[];
  /** Everything a replay shows, as one text. */
  replayed(): Promise<string>;
  kinds(): Promise<string[]>;
  sweep(): Promise<void>;
}

async function play(policy: StoragePolicy): Promise<Scene> {
  const home = createTemporaryFolder('policy');
  const words = Object.fromEntries(places.map((place) => [place, createMarkedWord()])) as Scene['words'];
  const named = Object.fromEntries(Object.entries(words).map(([place, word]) => [word, place]));
  let now = Date.now();
  const clock = () => now;
  const store = await openStore({ home, clock, redactor: false });
  const breaks = new ContinuoError('model-failed', { provider: 'test', reason: 'gone' });
  const model = createScriptedModel([
    { text: 'Looking.', toolCalls: [{ tool: 'look', input: { at: words.input } }], usage: { inputTokens: 7, outputTokens: 3 } },
    `It is ${words.answer} as you see.`,
    {
      text: [`Half ${words['half an answer']} and `, 'more'],
      beforeEach: () => new Promise((resolve) => setTimeout(resolve, 30)),
      error: breaks,
    },
    'Done.',
  ]);
  const look = makeTool({
    access: { needs: [['look', words.grant]], summary: `looks at ${words['summary of the call']}` },
    run: () => ({ text: `found ${words.result}` }),
  });
  const session = Session.create({
    store,
    model,
    clock,
    tools: [look],
    history: { maxItems: 4 },
    summarise: async () => `in short: ${words.summary}`,
    approvals: { ask: async () => ({ allow: true, remember: { scope: 'conversation' } }) },
    root: { create: { policy } },
  });
  const { id } = await session.root();
  await session.message(`Where is ${words.question}?`);
  await session.message('More?').catch(() => undefined);
  await session.message('Thanks.');
  await new Promise((resolve) => setTimeout(resolve, 30));
  const found = () =>
    Object.keys(findWords(home, Object.values(words)))
      .map((word) => named[word] as string)
      .sort();
  const during = found();
  await session.close();
  await store.close();
  const reading = async <T>(read: (again: typeof store) => Promise<T>): Promise<T> => {
    const again = await openStore({ home, clock });
    try {
      return await read(again);
    } finally {
      await again.close();
    }
  };
  return {
    home,
    words,
    during,
    found,
    replayed: () =>
      reading(async (again) => {
        let all = '';
        for await (const { entry } of replay(again, id)) all += `${JSON.stringify(entry)}\n`;
        return all;
      }),
    kinds: () =>
      reading(async (again) =>
        (await again.tail(id, 100)).map((entry) => (entry.kind === 'event' ? `event ${entry.name}` : entry.kind)),
      ),
    sweep: () =>
      reading(async (again) => {
        now += 2 * hour;
        await again.sweep();
      }),
  };
}

const shown = (text: string, { words }: Scene) => places.filter((place) => text.includes(words[place])).sort();

describe('after whole turns', () => {
  it('policy full keeps and replays every word', async () => {
    const scene = await play({ kind: 'full' });
    expect(scene.found()).toEqual([...places].sort());
    expect(shown(await scene.replayed(), scene)).toEqual(places.filter((place) => place !== 'grant').sort());
  });

  it('policy headers-only keeps who, when, which tool and how much, and not one word', async () => {
    const scene = await play({ kind: 'headers-only' });
    expect([scene.during, scene.found()]).toEqual([[], []]);
    const text = await scene.replayed();
    expect(shown(text, scene)).toEqual([]);
    expect(text).toContain('"tool":"look"');
    expect(text).toContain('"inputTokens":7');
    expect((await scene.kinds()).slice(0, 3)).toEqual(['message', 'event turn-start', 'message']);
  });

  it('policy none keeps the beginning, the end and the errors of turns, and nothing else', async () => {
    const scene = await play({ kind: 'none' });
    expect([scene.during, scene.found()]).toEqual([[], []]);
    expect(new Set(await scene.kinds())).toEqual(new Set(['event turn-start', 'event tool-approval', 'event turn-end']));
    const text = await scene.replayed();
    expect(text).toContain('"code":"model-failed"');
    expect(text).not.toContain('looks at');
  });

  it.each(['headers-only', 'delete'] as const)(
    'policy ttl, then %s, keeps every word for a time and then none',
    async (afterwards) => {
      const scene = await play({ kind: 'ttl', milliseconds: hour, afterwards });
      // What was allowed may quote what was said: it is kept in memory only.
      expect(scene.found()).toEqual(places.filter((place) => place !== 'grant').sort());
      await scene.sweep();
      expect(scene.found()).toEqual([]);
      const text = await scene.replayed();
      expect(shown(text, scene)).toEqual([]);
      expect(text.includes('"tool":"look"')).toBe(afterwards === 'headers-only');
    },
  );
});
