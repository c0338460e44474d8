import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSourceProject } from '../../../test/support/source-project.ts';
import { createQuickFolder } from '../../../test/support/temporary-folder.ts';
import { ContinuoError } from '../../model/error.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { PromptItem } from '../../model/ports/text-model.ts';
import { openStore } from '../../open-store.ts';
import { createScanRecall } from '../../recall/scan-recall.ts';
import { createScriptedModel } from '../../testing/scripted-model.ts';
import { CodeContextManager } from '../context/code-context-manager.ts';
import { ContextRecommender, type ContextRecommenderOptions } from './context-recommender.ts';

const files = {
  'src/net/retry-delay.ts':
    '// How long to wait before the next attempt.\nexport function computeRetryDelay(attempt: number) { return attempt; }\n',
  'src/net/retry-delay.test.ts': "import { computeRetryDelay } from './retry-delay.ts';\ncomputeRetryDelay(1);\n",
  'src/net/client.ts':
    "import { computeRetryDelay } from './retry-delay.ts';\nexport class HttpClient {\n  send() { return computeRetryDelay(1); }\n}\n",
  'src/nav/sofa_position.py': '# 导航：把机器人带到沙发旁边，坐标会漂移\ndef correct_drift(x): return x\n',
  'src/ui/labels.ts': "export const labels = { save: '保存文件', quit: '退出' };\n",
  'src/store/log.ts': '// Appends entries to the log.\nexport function appendEntry() {}\n',
  'src/store/rows.go': 'package store\n\n// WriteRows keeps rows.\nfunc WriteRows() {}\n',
  'docs/guide.md': '# Guide\n\nHow to install it.\n',
  'package.json': '{ "name": "demo" }',
};

function open(more: Omit<ContextRecommenderOptions, 'contextManager'> & { files?: Record<string, string> } = {}) {
  const { files: given = files, ...options } = more;
  const { root } = createSourceProject(given);
  const contextManager = new CodeContextManager({ root });
  const recommender = new ContextRecommender({ contextManager, ...options });
  const pathsFor = async (task: string, limit?: number) =>
    (await recommender.recommend(task, limit === undefined ? {} : { limit })).map(({ path }) => path);
  return { root, contextManager, recommender, pathsFor };
}

describe('files for a task', () => {
  it.each([
    ['words of a path', 'the retry delay is too long', 'src/net/retry-delay.ts'],
    ['a symbol in camel case', 'HttpClient never closes its socket', 'src/net/client.ts'],
    ['a symbol in another spelling', 'correctDrift gives wrong numbers', 'src/nav/sofa_position.py'],
    ['the parts of a symbol', 'append an entry twice', 'src/store/log.ts'],
    ['a comment', 'what happens before the next attempt', 'src/net/retry-delay.ts'],
    ['a Chinese comment', '机器人走到沙发时坐标漂移，请修复', 'src/nav/sofa_position.py'],
    ['a Chinese string', '“保存文件”这个按钮的文字不对', 'src/ui/labels.ts'],
    ['a path that the task names', 'look at src/store/rows.go:3 please', 'src/store/rows.go'],
    ['the end of a path inside Chinese', '修改labels.ts里的文字', 'src/ui/labels.ts'],
    ['a document', 'the guide says nothing about install', 'docs/guide.md'],
  ])('are found by %s', async (_how, task, path) => {
    expect((await open().pathsFor(task))[0]).toBe(path);
  });

  it('come with their reasons, with what imports them and with their tests', async () => {
    const { recommender } = open();
    const found = await recommender.recommend('computeRetryDelay is wrong', { limit: 3 });
    expect(found.map(({ path }) => path)).toEqual(['src/net/retry-delay.ts', 'src/net/retry-delay.test.ts', 'src/net/client.ts']);
    expect(found.map(({ why }) => why.map(({ kind }) => kind))).toEqual([
      expect.arrayContaining(['path', 'symbol', 'mention']),
      expect.arrayContaining(['path', 'mention', 'test-of']),
      expect.arrayContaining(['mention', 'imports']),
    ]);
    expect(found.every(({ score }, i) => i === 0 || score <= (found[i - 1]?.score ?? 0))).toBe(true);
  });

  it('are found by their text alone where nothing else says it', async () => {
    const deep = `${'// filler\n'.repeat(1500)}const message = 'zebra crossing';\n`;
    const { recommender } = open({ files: { ...files, 'src/deep.ts': deep } });
    expect(await recommender.recommend('zebra', { limit: 1 })).toEqual([
      { path: 'src/deep.ts', score: expect.any(Number), why: [{ kind: 'mention', text: 'zebra' }] },
    ]);
  });

  it('are none where nothing fits, and no more than asked for', async () => {
    const { pathsFor, contextManager } = open();
    expect(await pathsFor('quantum chromodynamics')).toEqual([]);
    expect(await pathsFor('')).toEqual([]);
    expect(await pathsFor('retry client log rows', 2)).toHaveLength(2);
    contextManager.noteChange('src/store/log.ts');
    expect(await pathsFor('go on')).toEqual(['src/store/log.ts']);
  });

  it('see the project as it is now', async () => {
    const { pathsFor, root } = open();
    await pathsFor('anything');
    writeFileSync(`${root}/zebra.ts`, '');
    expect(await pathsFor('zebra')).toEqual(['zebra.ts']);
  });

  it('take a task of any length and any characters', async () => {
    const { pathsFor } = open();
    expect((await pathsFor(`retry delay ${'very '.repeat(50_000)}`))[0]).toBe('src/net/retry-delay.ts');
    expect(await pathsFor('"(*[{\\ \ud800 \u0000')).toEqual([]);
  });

  it('are not looked for where nobody wants them any more', async () => {
    const { recommender } = open();
    await expect(recommender.recommend('retry', { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });
});

describe('earlier conversations', () => {
  async function openRecall(talks: { title: string; said: string[] }[]): Promise<Recall> {
    const store = await openStore({ home: createQuickFolder('recommend'), driver: 'jsonl' });
    onTestFinished(() => store.close());
    for (const { title, said } of talks) {
      const { id } = await store.create({ title });
      for (const [i, text] of said.entries())
        await store.append(id, { kind: 'message', role: i % 2 ? 'assistant' : 'user', text });
    }
    return createScanRecall(store);
  }

  it('name files for a task that nothing in the project speaks of', async () => {
    const recall = await openRecall([
      {
        title: 'Slow checkout',
        said: [
          'Why is the checkout slow?',
          'The slow checkout came from src/store/log.ts and from /elsewhere/demo/src/store/rows.go; src/gone.ts is gone.',
        ],
      },
      { title: 'Weather', said: ['How is the weather?', 'Sunny, see docs/guide.md.'] },
    ]);
    const { recommender } = open({ recall });
    expect(await recommender.recommend('the checkout is slow again')).toEqual([
      { path: 'src/store/log.ts', score: expect.any(Number), why: [{ kind: 'recall', text: 'Slow checkout' }] },
      { path: 'src/store/rows.go', score: expect.any(Number), why: [{ kind: 'recall', text: 'Slow checkout' }] },
    ]);
  });

  it('in Chinese lead to files without a Chinese word', async () => {
    const recall = await openRecall([
      { title: '结账', said: ['结账页面为什么这么慢？', '结账页面慢，是因为 src/store/log.ts 每次都写盘。'] },
    ]);
    expect(await open({ recall }).pathsFor('结账页面又变慢了')).toEqual(['src/store/log.ts']);
  });

  it('that cannot be searched are done without', async () => {
    const recall: Recall = { find: () => Promise.reject(new ContinuoError('internal', { reason: 'broken' })) };
    expect((await open({ recall }).pathsFor('retry delay'))[0]).toBe('src/net/retry-delay.ts');
  });
});

function textOf([first]: readonly PromptItem[]): string {
  return first?.kind === 'message' ? first.text : '';
}

describe('a model', () => {
  const task = 'the retry delay of the client';

  it('puts the list in its order with one call, and what it does not name stays behind', async () => {
    const model = createScriptedModel((request) => {
      const text = textOf(request.prompt);
      const number = /(\d+)\. src\/net\/client\.ts/.exec(text)?.[1];
      return `Here: [${number}, 99, 0, ${number}]`;
    });
    const found = await open({ model }).recommender.recommend(task);
    expect(found[0]?.path).toBe('src/net/client.ts');
    expect(found[0]?.why.at(-1)).toEqual({ kind: 'model' });
    expect(found.map(({ path }) => path)).toContain('src/net/retry-delay.ts');
    expect(found.every(({ score }, i) => i === 0 || score <= (found[i - 1]?.score ?? 0))).toBe(true);
    expect(model.requests.length).toBe(1);
    expect(textOf(model.requests[0]?.prompt ?? [])).toContain(`Task:\n${task}`);
  });

  it.each([
    ['fails', { error: new ContinuoError('model-failed', { reason: 'no' }) }],
    ['says something else', 'I would read them all.'],
    ['names nothing of the list', '[]'],
    ['never ends', { text: 'x'.repeat(100_000) }],
  ])('that %s changes nothing', async (_what, answer) => {
    const local = await open().pathsFor(task);
    expect(await open({ model: createScriptedModel([answer]) }).pathsFor(task)).toEqual(local);
  });

  it('is not asked about a single file', async () => {
    const model = createScriptedModel([]);
    expect(await open({ model, files: { 'zebra.ts': '' } }).pathsFor('zebra')).toEqual(['zebra.ts']);
    expect(model.requests).toEqual([]);
  });

  it('is left alone when the task is cancelled, and that is told', async () => {
    const controller = new AbortController();
    const model = createScriptedModel([{ before: () => new Promise(() => controller.abort(new Error('stop'))) }]);
    await expect(open({ model }).recommender.recommend(task, { signal: controller.signal })).rejects.toThrow('stop');
  });
});
