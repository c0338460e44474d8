import { cpSync, existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { ContinuoError } from '../../model/error.ts';
import type { PromptItem } from '../../model/ports/text-model.ts';
import { createScanRecall } from '../../recall/scan-recall.ts';
import { ConversationStore } from '../../store/conversation-store.ts';
import { MemoryDriver } from '../../store/drivers/memory/memory-driver.ts';
import { createHashingEmbedder } from '../../testing/hashing-embedder.ts';
import { createScriptedModel } from '../../testing/scripted-model.ts';
import { createAgentProvider } from './agent-provider.ts';
import { createAiProvider } from './ai-provider.ts';
import { ProjectSession, type ProjectSessionOptions } from './project-session.ts';
import { createSkillContext } from './skill-context.ts';

async function openHouse() {
  const time = { now: Date.UTC(2026, 2, 4, 9) };
  const clock = () => time.now;
  const store = await ConversationStore.open({ driver: new MemoryDriver(), clock });
  onTestFinished(() => store.close());
  const recall = createScanRecall(store, { clock });
  const create = (name: string, sessionId?: string, more: Partial<ProjectSessionOptions> = {}) =>
    new ProjectSession({
      store,
      recall,
      clock,
      project: { name, rootDir: `/project/${name}` },
      ...(sessionId !== undefined && { sessionId }),
      ...more,
    });
  return { store, time, create };
}

const textsOf = (prompt: readonly PromptItem[] | undefined) =>
  prompt?.map((item) => (item.kind === 'message' ? `${item.role}: ${item.text}` : item.kind));

describe('ProjectSession', () => {
  it('has a writer put the summary into words, and its own sentences where that fails', async () => {
    const { create } = await openHouse();
    const failed: unknown[] = [];
    let answer = async () => 'They painted the fence.';
    const writer = () => answer();
    const session = create('house', 's', { writer, onWriterFailed: (error) => failed.push(error) });
    await session.start();
    await session.conversationContext().addUserMessage('Please paint the fence green.');
    expect(await session.conversationContext().saveWithSummary()).toMatchObject({
      summary: 'They painted the fence.',
      isNew: true,
    });
    answer = () => Promise.reject(new ContinuoError('model-unreachable', { provider: 'x', reason: 'y' }));
    await session.conversationContext().addUserMessage('Then paint the gate white, please.');
    expect((await session.stop())?.summary).toContain('gate white');
    expect(failed).toMatchObject([{ code: 'model-unreachable' }]);
  });

  it('opens a conversation of the project, names what other projects say about it, and sums up when it stops', async () => {
    const { store, time, create } = await openHouse();
    const other = create('website');
    await other.start();
    await other.conversationContext().addUserMessage('The robot of house-robot needs a page on the website');
    await other.conversationContext().addAssistantMessage('We decided to add the page.');
    const stopped = await other.stop();
    expect(stopped?.summary).toContain('We decided to add the page.');
    expect(await other.stop()).toEqual(stopped);
    time.now += 60_000;
    const session = create('house-robot');
    const { conversation, related } = await session.start();
    expect((await session.start()).conversation).toEqual(conversation);
    expect(conversation.project).toBe('path:/project/house-robot');
    expect(related.map((each) => each.conversation.id)).toEqual([other.conversationContext().current?.id]);
    expect((await store.list()).items).toHaveLength(2);
  });

  it('finds the history of a folder without git after it was moved, and keeps a copy of a private one apart', async () => {
    const { store, create } = await openHouse();
    const top = realpathSync(createTemporaryFolder('session'));
    const [notes, moved, copy] = ['notes', 'moved', 'copy'].map((name) => join(top, name)) as [string, string, string];
    mkdirSync(notes);
    const at = (rootDir: string, more: Partial<ProjectSessionOptions> = {}) =>
      create('notes', undefined, { project: { name: 'notes', rootDir }, ...more }).start();
    expect((await at(notes, { marker: false })).conversation.project).toBe(`path:${notes}`);
    expect(existsSync(join(notes, '.continuo-project'))).toBe(false);
    await at(notes);
    renameSync(notes, moved);
    expect((await at(moved)).conversation.project).toBe(`path:${notes}`);
    cpSync(moved, copy, { recursive: true });
    const apart = await at(copy, { privateProjects: [`path:${notes}`] });
    expect(apart).toMatchObject({ resembles: `path:${notes}`, conversation: { project: `path:${copy}` } });
    expect((await store.get(apart.conversation.id)).meta.recall).toBe('excluded');
  });

  it('does nothing where it is stopped without having been started', async () => {
    const { store, create } = await openHouse();
    expect(await create('foo').stop()).toBeUndefined();
    expect((await store.list()).items).toEqual([]);
  });

  it('goes on after a crash with the conversation it had', async () => {
    const { create } = await openHouse();
    const first = await create('foo', 'ses_1').start();
    expect((await create('foo', 'ses_1').start()).conversation.id).toBe(first.conversation.id);
  });
});

describe('an AI provider', () => {
  it('answers with and without a context', async () => {
    const { time, create } = await openHouse();
    const earlier = create('foo');
    await earlier.start();
    await earlier.conversationContext().addUserMessage('Make the robot navigate to the sofa');
    await earlier.conversationContext().addAssistantMessage('The path is planned.');
    time.now += 60_000;
    const session = create('bar');
    await session.start();
    const model = createScriptedModel(['Hello.', 'It goes on.']);
    const provider = createAiProvider(model, { instructions: 'Be brief.' });
    expect(await provider.chat('Hi')).toBe('Hello.');
    const skill = createSkillContext(session.conversationContext());
    expect(await provider.chatWithContext('continue', skill.conversationContext())).toBe('It goes on.');
    expect(textsOf(model.requests[0]?.prompt)).toEqual(['user: Hi']);
    expect(model.requests[1]?.instructions).toBe('Be brief.');
    expect(textsOf(model.requests[1]?.prompt)?.join()).toContain('> Make the robot navigate to the sofa');
  });

  it('embeds where it has an embedder', async () => {
    const model = createScriptedModel([]);
    const embedder = createHashingEmbedder();
    const [expected] = await embedder.embed(['sofa']);
    expect(await createAiProvider(model, { embedder }).embed('sofa')).toEqual(expected);
    await expect(createAiProvider(model).embed('sofa')).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('an agent provider', () => {
  it('keeps nothing without a context', async () => {
    const model = createScriptedModel(['Four.']);
    const request = { prompt: 'Two and two?', history: [{ role: 'user' as const, content: 'Hi' }], skills: ['sums'] };
    expect(await createAgentProvider(model).execute({ ...request, systemPrompt: 'Count.', context: { folder: '/a' } })).toEqual({
      result: 'Four.',
      history: [...request.history, { role: 'user', content: 'Two and two?' }, { role: 'assistant', content: 'Four.' }],
      updatedConversation: false,
      sources: [],
    });
    expect(model.requests[0]).toEqual({
      prompt: [
        { kind: 'message', role: 'user', text: 'Hi' },
        { kind: 'message', role: 'user', text: 'Two and two?' },
      ],
      tools: [],
      instructions: 'Count.\nContext: {"folder":"/a"}\nSkills: sums',
    });
  });

  it('reads the conversation it is in, and keeps an answer that broke off', async () => {
    const { store, create } = await openHouse();
    const session = create('foo');
    const { conversation } = await session.start();
    const error = new ContinuoError('model-failed', { provider: 'scripted', reason: 'it broke' });
    const model = createScriptedModel(['Four.', { text: 'Six is', error }]);
    const agent = createAgentProvider(model);
    const conversationCtx = session.conversationContext();
    await agent.execute({ prompt: 'Two and two?', conversationCtx });
    await expect(agent.execute({ prompt: 'Three and three?', conversationCtx })).rejects.toBe(error);
    expect(textsOf(model.requests[1]?.prompt)).toEqual(['user: Two and two?', 'assistant: Four.', 'user: Three and three?']);
    const kept = await store.tail(conversation.id, 10);
    expect(kept.flatMap((each) => (each.kind === 'message' ? [[each.text, each.interrupted ?? false]] : []))).toEqual([
      ['Two and two?', false],
      ['Four.', false],
      ['Three and three?', false],
      ['Six is', true],
    ]);
  });
});
