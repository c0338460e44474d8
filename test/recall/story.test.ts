import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { PromptItem } from '../../src/model/ports/text-model.ts';
import { createScanRecall } from '../../src/recall/scan-recall.ts';
import { createAgentProvider } from '../../src/runtime/project-session/agent-provider.ts';
import { ProjectSession } from '../../src/runtime/project-session/project-session.ts';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { openSubject } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';

const start = Date.UTC(2026, 2, 4, 1, 30);

async function openHouse() {
  const time = { now: start };
  const clock = () => time.now;
  const store = await openSubject('sqlite', join(createQuickFolder('story'), 'store'), { clock });
  onTestFinished(() => store.close());
  const openSession = (name: string, privateProjects: string[] = []) =>
    new ProjectSession({
      store,
      recall: createScanRecall(store, { clock }),
      clock,
      offsetMinutes: 480,
      privateProjects,
      project: { name, rootDir: `/project/${name}` },
    });
  return { store, time, openSession };
}

const lastText = (prompt: readonly PromptItem[] | undefined) => {
  const last = prompt?.at(-1);
  return last?.kind === 'message' ? last.text : '';
};

it('goes on in project B with the task of project A, and the model is told where it came from', async () => {
  const { store, time, openSession } = await openHouse();
  const model = createScriptedModel([
    '好的，正在设置导航到沙发。已规划路径，预计 2 分钟到达。',
    '明白，继续导航到沙发，当前进度：已规划路径，预计 2 分钟到达。',
  ]);
  const agent = createAgentProvider(model);

  const sessionA = openSession('foo');
  const { conversation } = await sessionA.start();
  await agent.execute({ prompt: '帮我设置导航到沙发', conversationCtx: sessionA.conversationContext() });
  await sessionA.stop();

  time.now += 10 * 60_000;
  const sessionB = openSession('bar');
  await sessionB.start();
  const response = await agent.execute({ prompt: '继续刚才的任务', conversationCtx: sessionB.conversationContext() });

  const prompt = lastText(model.requests[1]?.prompt);
  const fence = /\[\[quoted-history ([0-9a-f]{12}) 开始\]\]\n([\s\S]+)\n\[\[quoted-history \1 结束\]\]/u.exec(prompt);
  expect(fence?.[2]?.split('\n')).toEqual([
    `1. 对话 ${conversation.id} · 项目 foo · 2026-03-04 09:30`,
    '用户 (2026-03-04 09:30):',
    '> 帮我设置导航到沙发',
    '助手 (2026-03-04 09:30):',
    '> 好的，正在设置导航到沙发。已规划路径，预计 2 分钟到达。',
  ]);
  expect(prompt.endsWith('=== 当前问题 ===\n继续刚才的任务')).toBe(true);
  expect({
    ...response,
    sources: response.sources.map(({ conversationId, projectName }) => [conversationId, projectName]),
  }).toEqual({
    result: '明白，继续导航到沙发，当前进度：已规划路径，预计 2 分钟到达。',
    history: [
      { role: 'user', content: '继续刚才的任务' },
      { role: 'assistant', content: '明白，继续导航到沙发，当前进度：已规划路径，预计 2 分钟到达。' },
    ],
    updatedConversation: true,
    sources: [[conversation.id, 'foo']],
  });
  // What was quoted to the model is not said again in the log of B.
  const logged = await store.tail(sessionB.conversationContext().current?.id ?? conversation.id, 10);
  expect(logged.map((entry) => 'text' in entry && entry.text)).toEqual(['继续刚才的任务', response.result]);
});

it('goes on in a third project with what was gone on with in the second, unless it may not be seen from there', async () => {
  const { time, openSession } = await openHouse();
  const model = createScriptedModel(['正在规划到沙发的路径。', '好，接着做。', '好。', '好。']);
  const agent = createAgentProvider(model);
  const ask = async (name: string, prompt: string, privateProjects: string[] = []) => {
    const session = openSession(name, privateProjects);
    await session.start();
    const { sources } = await agent.execute({ prompt, conversationCtx: session.conversationContext() });
    await session.stop();
    time.now += 10 * 60_000;
    return sources.map(({ projectName, why }) => [projectName, why[0]]);
  };
  await ask('foo', '帮我设置导航到沙发');
  expect(await ask('bar', '继续刚才的任务')).toEqual([['foo', 'newest']]);
  expect(await ask('baz', '继续')).toEqual([
    ['bar', 'newest'],
    ['foo', 'went-on-from'],
  ]);
  expect(lastText(model.requests[2]?.prompt)).toContain('> 帮我设置导航到沙发');
  expect(await ask('last', '继续', ['path:/project/foo'])).toEqual([
    ['baz', 'newest'],
    ['bar', 'went-on-from'],
  ]);
  expect(lastText(model.requests[3]?.prompt)).not.toContain('沙发');
});

it('does not go on from a private project, and says that nothing was found', async () => {
  const { time, openSession } = await openHouse();
  const model = createScriptedModel(['好的，正在设置导航到沙发。', '请问是什么任务？']);
  const agent = createAgentProvider(model);
  const privateProjects = ['path:/project/foo'];
  const sessionA = openSession('foo', privateProjects);
  await sessionA.start();
  await agent.execute({ prompt: '帮我设置导航到沙发', conversationCtx: sessionA.conversationContext() });
  await sessionA.stop();
  time.now += 60_000;
  const sessionB = openSession('bar', privateProjects);
  await sessionB.start();
  await agent.execute({ prompt: '继续刚才的任务', conversationCtx: sessionB.conversationContext() });
  expect(lastText(model.requests[1]?.prompt)).toBe(
    '=== 相关历史对话 ===\n没有找到可以接着做的历史对话。请如实说明，并询问指的是什么。\n\n=== 当前问题 ===\n继续刚才的任务',
  );
});
