// One table: every road by which recall gives something away, over every way it finds, against every reason there is for hiding.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isContinuoError } from '../../src/model/error.ts';
import { createConversationId } from '../../src/model/id.ts';
import type { Recall, RecallQuery } from '../../src/model/ports/recall.ts';
import { openRecall } from '../../src/open-recall.ts';
import { openStore } from '../../src/open-store.ts';
import { createOfflineModel } from '../../src/providers/offline/offline-model.ts';
import { ConversationContext } from '../../src/recall/context/conversation-context.ts';
import { resolveContinue } from '../../src/recall/context/resolve-continue.ts';
import { readIntent } from '../../src/recall/intent/continue-intent.ts';
import { createScanRecall } from '../../src/recall/scan-recall.ts';
import { createSkillContext } from '../../src/runtime/project-session/skill-context.ts';
import { Session } from '../../src/runtime/session.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { createBuiltinTools } from '../../src/tools/builtin/builtin-tools.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { type HiddenTalks, leadOf, leaksIn, openAnswer, privateProjects, question, reasons, sayHidden } from './hidden-talks.ts';

const now = Date.UTC(2026, 2, 4, 9);
const clock = () => now;
const hereProject = 'path:/here';
const leads = Object.keys(reasons).map(leadOf);
const requests = [
  question,
  'continue',
  '继续刚才的任务',
  'what did we say today about the boathouse?',
  ...leads.map(continueWith),
];

function continueWith(lead: string): string {
  return `continue with the boathouse ${lead}`;
}

interface House extends HiddenTalks {
  store: ConversationStore;
  /** Knows the private projects, as a door hands it out. */
  recall: Recall;
  context: ConversationContext;
  /** Its recall knows of nothing that is private: a context keeps it by itself. */
  unaware: ConversationContext;
}

/** The index is as it was before the last things were done, or up to date, or there is none. */
const ways = ['words', 'words, index behind', 'words and meaning', 'the log alone', 'no index to open'] as const;

async function openHouse(way: (typeof ways)[number]): Promise<House> {
  const home = createQuickFolder('every-road');
  const store = await openStore({ home, clock, redactor: false });
  if (way === 'no index to open') mkdirSync(join(home, 'index.db'));
  const more = way === 'words and meaning' ? { embedder: createHashingEmbedder() } : {};
  const open = (hidden: string[]) =>
    openRecall({ home, store, clock, embedder: null, patience: 5000, privateProjects: hidden, ...more });
  const [engine, unaware] = [await open(privateProjects), await open([])];
  onTestFinished(async () => {
    await engine.close();
    await unaware.close();
    await store.close();
  });
  const talks = await sayHidden(store, now, () => engine.catchUp());
  if (way !== 'words, index behind') await engine.catchUp();
  const isScan = way === 'the log alone';
  const recall = isScan ? createScanRecall(store, { clock, privateProjects }) : engine;
  const options = { store, clock, privateProjects, autoSummaryThreshold: 0 };
  const context = new ConversationContext({ ...options, recall });
  const other = new ConversationContext({ ...options, recall: isScan ? createScanRecall(store, { clock }) : unaware });
  await context.startConversation('here', '/here');
  await other.startConversation('here, too', '/here');
  return { store, recall, context, unaware: other, ...talks };
}

/** What each gives; the second says whether the open conversation must be in it. */
const roads: Record<string, [(house: House) => Promise<unknown>, 'finds' | 'stays silent']> = {
  'find, in every way to ask': [
    async ({ recall, ids }) => {
      const asked: RecallQuery[] = [
        { text: question },
        { text: question, hereProject, explain: true, limit: 100 },
        { text: '', limit: 100 },
        ...(['user', 'assistant', 'tool', 'summary', 'title'] as const).map((role) => ({ text: 'boathouse', role })),
        ...leads.flatMap((text) => [{ text, explain: true }, { text: question, tag: text }, { text: `"${text}"` }]),
        ...privateProjects.flatMap((project) => [
          { text: question, project },
          { text: question, projects: [project] },
        ]),
        ...ids.map((conversation) => ({ text: question, conversation })),
        ...ids.map((except) => ({ text: question, except })),
      ];
      return Promise.all(asked.map((query) => recall.find(query)));
    },
    'finds',
  ],
  'the recall tool in a turn': [
    async ({ store, recall }) => {
      const calls = [question, '', ...leads].map((query) => ({ tool: 'recall', input: { query, limit: 50 } }));
      const inProjects = privateProjects.map((project) => ({ tool: 'recall', input: { query: question, project } }));
      const model = createScriptedModel([{ toolCalls: [...calls, ...inProjects] }, 'done']);
      const session = Session.create({
        store,
        model,
        tools: createBuiltinTools({ root: createQuickFolder('tool-root'), recall }),
      });
      try {
        const conversation = await session.open();
        await conversation.message('look');
        return [model.requests, await store.tail(conversation.id, 100)];
      } finally {
        await session.close();
      }
    },
    'finds',
  ],
  'the offline provider': [
    async ({ recall }) => {
      const model = createOfflineModel({ recall });
      const told: unknown[] = [];
      for (const text of requests) {
        const prompt = [{ kind: 'message' as const, role: 'user' as const, text }];
        for await (const event of model.stream({ prompt, tools: [], signal: new AbortController().signal })) told.push(event);
      }
      return told.map((event) => (event as { text?: string }).text ?? '').join('');
    },
    'finds',
  ],
  'the preparation of a prompt': [
    async ({ context, unaware }) => {
      const given: unknown[] = [];
      for (const request of requests) {
        given.push(await context.prepareContext(request), await context.prepareAiPrompt(request));
        given.push(await unaware.prepareContext(request), await unaware.prepareAiPrompt(request));
      }
      return given;
    },
    'finds',
  ],
  'similar conversations': [
    async ({ context, unaware }) => {
      const given: unknown[] = [];
      for (const request of [...requests, ...leads]) {
        given.push(await context.findSimilarConversations(request, 50), await unaware.findSimilarConversations(request, 50));
        given.push(await context.findSimilarConversations(request, 50, { elsewhere: true }));
        given.push(await createSkillContext(context).conversationContext().findSimilarConversations(request));
      }
      return given;
    },
    'finds',
  ],
  'restoring a context': [
    async ({ context, ids }) => {
      const given: unknown[] = [];
      for (const id of [...ids, createConversationId(now)]) {
        const restored = context.restoreContext(id).catch((error: unknown) => {
          if (!isContinuoError(error, 'conversation-not-found')) throw error;
          return error.code;
        });
        given.push(await restored);
      }
      return given;
    },
    'stays silent',
  ],
  'restoring the open one, which went on from all of them': [
    ({ context, openId }) => context.restoreContext(openId, { tokenBudget: 100_000 }),
    'finds',
  ],
  'merging contexts': [({ context, ids, openId }) => context.mergeContexts([...ids, openId], { tokenBudget: 100_000 }), 'finds'],
  'going on': [
    async ({ store, recall }) => {
      const given: unknown[] = [];
      for (const asked of requests) {
        const intent = readIntent(asked, { now, offsetMinutes: 0 });
        given.push(await resolveContinue({ store, recall, now, intent, asked, hereProject, privateProjects }));
      }
      return given;
    },
    'stays silent',
  ],
  'a summary and topics': [
    async ({ store, context }) => {
      for (const request of requests) {
        await context.prepareAiPrompt(request);
        await context.addUserMessage(request);
        await context.addAssistantMessage('I do not know the boathouse.');
      }
      const written = await context.saveWithSummary();
      const { id } = context.current ?? (await context.startConversation('here', '/here'));
      return [written, await store.get(id), await store.tail(id, 100)];
    },
    'stays silent',
  ],
  'the export of another conversation': [
    async ({ store, openId }) => {
      const lines: unknown[] = [await store.get(openId)];
      for await (const entry of store.readAll(openId)) lines.push(entry);
      return lines;
    },
    'finds',
  ],
};

describe.each(ways)('by %s, nothing hidden comes out of', (way) => {
  it.each(Object.entries(roads))('%s', async (_, [take, expected]) => {
    const given = JSON.stringify(await take(await openHouse(way)));
    expect(leaksIn(given)).toEqual([]);
    if (expected === 'finds') expect(given).toContain(openAnswer);
  });
});

describe('what is hidden elsewhere', () => {
  it.each(['path:/vault/one', '/vault/two', 'path:/vault/two', '/vault/three', '/vault/four'])(
    'is seen from %s',
    async (here) => {
      const { recall, store } = await openHouse('words');
      const { hits } = await recall.find({ text: question, hereProject: here, limit: 50 });
      const context = new ConversationContext({ store, recall, clock, privateProjects });
      await context.startConversation('inside', undefined, { project: here });
      const prompt = await context.prepareAiPrompt(question, { tokenBudget: 100_000 });
      expect(leaksIn(JSON.stringify(hits))).toHaveLength(1);
      expect(leaksIn(prompt)).toEqual(leaksIn(JSON.stringify(hits)));
    },
  );
});
