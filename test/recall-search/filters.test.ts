// What can be narrowed down, and how passages, highlights and groups come out.
import { describe, expect, it } from 'vitest';
import { groupHits } from '../../src/recall/search/group-hits.ts';
import { createBench, day, start } from './workbench.ts';

describe('filters', () => {
  async function createTalks() {
    const bench = await createBench();
    const { say, time } = bench;
    const claude = await say(['walrus one', 'walrus two'], { project: 'git:a', agent: 'claude', tags: ['zoo'] });
    time.now = start + 10 * day;
    const codex = await say(['walrus three', 'walrus four'], { project: 'git:b', agent: 'codex' });
    time.now = start + 20 * day;
    const plain = await say([
      'walrus five',
      { kind: 'tool-result', callId: '1', tool: 'grep', text: 'walrus six' },
      { kind: 'summary', text: 'walrus seven', covers: { from: 1, to: 1 } },
    ]);
    return { ...bench, claude, codex, plain };
  }

  it('take project, projects, agent, tag, role, time and conversation, alone and together', async () => {
    const { texts, claude, codex } = await createTalks();
    const found = async (query: Parameters<typeof texts>[1]) =>
      (await texts('walrus', query)).map((text) => text.replace('walrus ', '')).sort();
    expect(await found({})).toEqual(['five', 'four', 'one', 'seven', 'six', 'three', 'two']);
    expect(await found({ project: 'git:a' })).toEqual(['one', 'two']);
    expect(await found({ projects: ['git:a', 'git:b', 'git:none'] })).toEqual(['four', 'one', 'three', 'two']);
    expect(await found({ projects: ['git:a', 'git:b'], project: 'git:b' })).toEqual(['four', 'three']);
    expect(await found({ projects: [] })).toEqual([]);
    expect(await found({ agent: 'codex' })).toEqual(['four', 'three']);
    expect(await found({ tag: 'zoo' })).toEqual(['one', 'two']);
    expect(await found({ role: 'user' })).toEqual(['five', 'one', 'three']);
    expect(await found({ role: ['tool', 'summary'] })).toEqual(['seven', 'six']);
    expect(await found({ since: start + 10 * day })).toEqual(['five', 'four', 'seven', 'six', 'three']);
    expect(await found({ until: start + 10 * day })).toEqual(['one', 'two']);
    expect(await found({ since: start + 5 * day, until: start + 15 * day, role: 'assistant' })).toEqual(['four']);
    expect(await found({ conversation: codex })).toEqual(['four', 'three']);
    expect(await found({ except: claude, role: 'user' })).toEqual(['five', 'three']);
    expect(await found({ limit: 2 })).toHaveLength(2);
    expect(await found({ limit: 0 })).toEqual([]);
  });

  it('see what was renamed, moved or tagged after it was indexed', async () => {
    const { store, texts, find, claude } = await createTalks();
    expect(await texts('walrus', { tag: 'zoo' })).toHaveLength(2);
    await store.tag(claude, { remove: ['zoo'] });
    expect(await texts('walrus', { tag: 'zoo' })).toEqual([]);
    await store.rename(claude, 'The zoo');
    expect((await find('walrus one')).hits[0]?.title).toBe('The zoo');
  });

  it('leave the asking conversation out, with what it shares as a fork', async () => {
    const { store, say, texts } = await createBench();
    const origin = await say(['walrus one', 'walrus two']);
    const fork = await store.fork(origin, { at: 1 });
    await say(['walrus three'], fork.id);
    expect((await texts('walrus', { except: fork.id })).sort()).toEqual(['walrus two']);
    expect((await texts('walrus', { except: origin })).sort()).toEqual(['walrus three']);
    expect(await texts('walrus', { except: [fork.id, origin] })).toEqual([]);
  });

  it('leave its sub-agents out before anything is counted, also those of sub-agents and of a session that is not stored', async () => {
    const { say, texts, find } = await createBench();
    const sentBy = (key: string) => ({ tags: ['sub-agent'], meta: { parent: { kind: 'sub-agent', id: key, key } } });
    for (let i = 0; i < 12; i++) await say([`walrus of old ${i}`]);
    const asking = await say(['walrus of my own'], { key: 'one' });
    for (let i = 0; i < 30; i++) await say([`walrus walrus ${i}`, `walrus ${i}`], { key: `one/${i}`, ...sentBy('one') });
    for (let i = 0; i < 5; i++) await say([`walrus below ${i}`], sentBy('one/7'));
    await say(['walrus of another session'], sentBy('two'));
    await say(['walrus on a branch of it'], { meta: { parent: { kind: 'fork', id: 'one', key: 'one' } } });
    const others = ['walrus of another session', 'walrus on a branch of it'];
    const old = Array.from({ length: 12 }, (_, i) => `walrus of old ${i}`);
    expect((await texts('walrus', { except: asking, limit: 14 })).sort()).toEqual([...old, ...others].sort());
    expect(await texts('walrus', { except: asking, limit: 5 })).toHaveLength(5);
    expect((await texts('walrus', { except: [asking], exceptKeys: ['two'], limit: 14 })).sort()).toEqual(
      [...old, 'walrus on a branch of it'].sort(),
    );
    expect((await find('walrus', { except: asking })).searched.conversations).toBe(14);
  });
});

describe('passages', () => {
  it('are cut at sentences and keep the highlights inside', async () => {
    const { say, find } = await createBench();
    const filler = 'Nothing of interest was said here. '.repeat(40);
    await say([`${filler}The staging database lives in Frankfurt. Ask Ann for the 密码。${filler}`]);
    await say([`${'这里没有什么特别的内容。'.repeat(60)}数据库迁移分三步走，先备份。${'后面也没有。'.repeat(100)}`]);
    for (const [question, words] of [
      ['staging database', ['staging database', 'staging', 'database']],
      ['数据库迁移', ['数据库迁移']],
    ] as const) {
      const [hit] = (await find(question)).hits;
      expect(hit?.text.length).toBeLessThanOrEqual(400);
      expect(hit?.text).toMatch(/^….*…$/s);
      expect(hit?.highlights?.length).toBeGreaterThan(0);
      for (const { start: from, end } of hit?.highlights ?? []) expect(words).toContain(hit?.text.slice(from, end));
    }
  });

  it('show what a tool was asked as words', async () => {
    const { say, find } = await createBench();
    await say([{ kind: 'tool-call', callId: '1', tool: 'run_command', input: { command: 'rg walrus' } }]);
    expect((await find('walrus')).hits).toMatchObject([{ kind: 'tool-call', text: 'run_command command\nrg walrus' }]);
  });
});

describe('groups', () => {
  it('hold the hits of each conversation, the best conversation first', async () => {
    const { say, find } = await createBench();
    const much = await say(['walrus feeding', 'The walrus eats clams.', 'walrus sleeping', 'The walrus sleeps.'], {
      title: 'Zoo',
      project: 'git:a',
      agent: 'claude',
    });
    const little = await say(['walrus']);
    const { groups = [], hits } = await find('walrus');
    expect(groups.map(({ conversationId }) => conversationId).sort()).toEqual([much, little].sort());
    expect(new Set(groups.flatMap((group) => group.hits))).toEqual(new Set(hits));
    const zoo = groups.find(({ conversationId }) => conversationId === much);
    expect(zoo).toMatchObject({ title: 'Zoo', project: 'git:a', agent: 'claude', at: start + 4 * 60_000 });
    expect(zoo?.score).toBeGreaterThan(zoo?.hits[0]?.score ?? 0);
    expect(zoo?.hits.map(({ score }) => score)).toEqual(zoo?.hits.map(({ score }) => score).sort((a, b) => b - a));
  });

  it('are none where nothing was found', () => {
    expect(groupHits([])).toEqual([]);
  });
});
