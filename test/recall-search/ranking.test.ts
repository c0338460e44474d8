// What comes first, and why.
import { describe, expect, it } from 'vitest';
import { createHashingEmbedder } from '../../src/testing/hashing-embedder.ts';
import { createBench, day, start } from './workbench.ts';

const noise = [
  'How is the weather today?',
  'Sunny, with some wind.',
  '今天中午吃什么？',
  '楼下的面馆不错。',
  'Please rename the variable.',
  'Renamed.',
];

describe('a search', () => {
  it.each([
    ['which port does the staging server use', 'The staging server listens on port 8443.'],
    ['导航到沙发', '好的，正在规划到沙发的导航路径。'],
    ['用SQLite做缓存', '我们决定用 SQLite 做缓存，不用 Redis。'],
    ['parseEntryId', 'The bug is in parse_entry_id: it takes an empty string.'],
    ['データベースの選択', 'データベースは PostgreSQL を選択しました。'],
    ['灰度', '灰度发布先放百分之五。'],
  ])('finds what %j asks for first', async (question, text) => {
    const { say, texts } = await createBench();
    await say(noise);
    await say(['ok', text]);
    await say(noise);
    expect((await texts(question))[0]).toBe(text);
  });

  it('puts what holds more of the question before what holds less', async () => {
    const { say, texts } = await createBench();
    await say(['The login page redirects to the cart after a timeout.']);
    await say(['A redirect from login is blue.']);
    expect(await texts('login redirect timeout')).toEqual([
      'The login page redirects to the cart after a timeout.',
      'A redirect from login is blue.',
    ]);
  });

  it('of equals takes the newer one, and the one of the project it is asked from', async () => {
    const { say, texts, find, time } = await createBench();
    await say(['Deploy with the blue script.'], { project: 'git:a' });
    time.now += 60 * day;
    await say(['Deploy with the blue script.'], { project: 'git:b' });
    const from = async (hereProject?: string) =>
      (await find('deploy script', { ...(hereProject && { hereProject }) })).hits.map(({ project }) => project);
    expect(await from()).toEqual(['git:b', 'git:a']);
    expect(await from('git:a')).toEqual(['git:a', 'git:b']);
    expect(await texts('deploy script')).toHaveLength(2);
  });

  it('puts what people said before what tools printed', async () => {
    const { say, find } = await createBench();
    await say([
      { kind: 'tool-call', callId: '1', tool: 'read_file', input: { path: 'retry-policy.md' } },
      { kind: 'tool-result', callId: '1', tool: 'read_file', text: 'retry policy: three times' },
      { kind: 'message', role: 'assistant', text: 'The retry policy is three times.' },
    ]);
    const { hits } = await find('retry policy');
    expect(hits.map(({ kind }) => kind)).toEqual(['message', 'tool-result', 'tool-call']);
  });

  it('brings the answer along with the question it was given to', async () => {
    const { say, texts, find } = await createBench();
    await say(['What did the auditor want?', 'One moment.']);
    await say(['Which cache do we use?', 'Let me see.'], {});
    const id = await say(['Which queue do we use?', 'NATS, since March.', 'Thanks.', 'Sure.']);
    expect(await texts('queue')).toEqual(['Which queue do we use?', 'NATS, since March.']);
    expect(await texts('queue', { answers: false })).toEqual(['Which queue do we use?']);
    const { hits } = await find('queue', { explain: true });
    expect(hits[1]?.why?.answers).toBe(hits[0]?.entryId);
    expect(hits.map(({ conversationId }) => conversationId)).toEqual([id, id]);
    expect(await texts('queue', { role: 'user' })).toEqual(['Which queue do we use?']);
  });

  it('never quotes quotations: offline answers, questions that only got such, and what the recall tool brought', async () => {
    const { say, texts } = await createBench();
    await say([
      { kind: 'message', role: 'user', text: 'What about the walrus?', turnId: 't1' },
      { kind: 'message', role: 'assistant', text: 'walrus: quoted', model: 'offline', turnId: 't1' },
      { kind: 'tool-call', callId: '1', tool: 'recall', input: { query: 'walrus' } },
      { kind: 'tool-result', callId: '1', tool: 'recall', text: 'walrus found' },
      { kind: 'message', role: 'assistant', text: 'The walrus is a mascot.' },
    ]);
    expect(await texts('walrus')).toEqual(['The walrus is a mascot.']);
  });

  it('brings it along with a request, and not with a statement', async () => {
    const { say, texts } = await createBench();
    await say(['导航到沙发', '已规划路径，预计 2 分钟到达。']);
    await say(['The walrus is our mascot.', 'A penguin would do, too.']);
    expect(await texts('沙发')).toEqual(['导航到沙发', '已规划路径，预计 2 分钟到达。']);
    expect(await texts('walrus')).toEqual(['The walrus is our mascot.']);
  });

  it('never quotes "go on", unless it is asked for in quotation marks', async () => {
    const { say, texts } = await createBench();
    await say(['continue', 'The continue statement skips the rest of the loop body.']);
    expect(await texts('how does the continue statement work')).toEqual([
      'The continue statement skips the rest of the loop body.',
    ]);
    expect(await texts('"continue"')).toContain('continue');
  });

  it('gives the newest exchanges for an empty text', async () => {
    const { say, find } = await createBench();
    const first = await say(['Fix the login.', 'Fixed.']);
    const second = await say(['设置导航', '好的。'], { agent: 'claude' });
    const { hits, groups, emptyBecause } = await find('  ');
    expect(hits.map(({ text }) => text)).toEqual(['设置导航', '好的。', 'Fix the login.', 'Fixed.']);
    expect(groups?.map(({ conversationId }) => conversationId)).toEqual([second, first]);
    expect(emptyBecause).toBeUndefined();
    expect((await find('', { agent: 'codex' })).emptyBecause).toBe('filtered');
  });

  it('stops when it is aborted', async () => {
    const { say, find } = await createBench();
    await say(noise);
    await expect(find('weather', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('explain', () => {
  it('tells parts that add up to the score, and the terms', async () => {
    const { say, find, engine, time } = await createBench({ embedder: createHashingEmbedder() });
    await say(['The login page redirects after a timeout.', '登录页超时后会跳转。'], { project: 'git:a' });
    await say([{ kind: 'tool-result', callId: '1', tool: 'grep', text: 'login timeout = 30' }]);
    await engine.catchUp();
    time.now += 30 * day;
    const { hits } = await find('login timeout', { explain: true, hereProject: 'git:a' });
    expect(hits.length).toBeGreaterThanOrEqual(2);
    for (const { why, score } of hits) {
      const { lexical = 0, semantic = 0, recency, project, role, total } = why as NonNullable<typeof why>;
      expect(lexical + semantic + recency + project + role).toBeCloseTo(total, 6);
      expect(total).toBe(score);
      expect(total).toBeGreaterThan(0);
    }
    expect(hits[0]?.why).toMatchObject({ project: 0.06, role: 0, terms: ['login', 'timeout'] });
    expect(hits[0]?.why?.semantic).toBeGreaterThan(0.1);
    expect(hits.find(({ kind }) => kind === 'tool-result')?.why).toMatchObject({ project: 0, role: expect.any(Number) });
    expect(hits.find(({ kind }) => kind === 'tool-result')?.why?.role).toBeLessThan(0);
  });

  it('is left out where nobody asked for it', async () => {
    const { say, find } = await createBench();
    const id = await say(['The walrus is a mascot.'], { title: 'Zoo', project: 'git:a', agent: 'claude' });
    const { hits } = await find('walrus');
    expect(hits).toEqual([
      {
        conversationId: id,
        entryId: expect.stringMatching(/^ent_/),
        at: start + 60_000,
        kind: 'message',
        role: 'user',
        title: 'Zoo',
        project: 'git:a',
        agent: 'claude',
        text: 'The walrus is a mascot.',
        highlights: [{ start: 4, end: 10 }],
        score: expect.any(Number),
      },
    ]);
  });
});

describe('meaning', () => {
  /** Knows two things to be the same that share no word. */
  const embedder = {
    id: 'synonyms@1',
    dimension: 4,
    embed: async (texts: readonly string[]) =>
      texts.map((text) => {
        const about = [/car|automobile|汽车/i, /bread|loaf|面包/i, /login/i, /./];
        const at = about.findIndex((pattern) => pattern.test(text));
        return Float32Array.from({ length: 4 }, (_, i) => (i === at ? 1 : 0));
      }),
  };

  it('finds what shares no word, and in another language', async () => {
    const { say, texts, engine, find } = await createBench({ embedder });
    await say(['The automobile needs new tyres.', 'ok']);
    await say(['汽车需要换轮胎。', 'ok']);
    await say(['The loaf is in the oven.', 'ok']);
    await engine.catchUp();
    expect((await texts('car')).sort()).toEqual(['The automobile needs new tyres.', '汽车需要换轮胎。']);
    expect((await find('car', { explain: true })).hits[0]?.why).toMatchObject({ semantic: expect.any(Number), terms: [] });
  });

  it('puts first what words and meaning agree on', async () => {
    const { say, texts, engine } = await createBench({ embedder });
    await say(['My car is red.']);
    await say(['An automobile is blue.']);
    await say(['The loaf is brown.']);
    await engine.catchUp();
    expect(await texts('which colour is the car')).toEqual(['My car is red.', 'An automobile is blue.']);
  });

  it('obeys filters, private projects and the limit', async () => {
    const { say, texts, engine } = await createBench({ embedder, privateProjects: ['git:secret'] });
    for (let i = 0; i < 30; i++) await say([`automobile ${i}`], { project: 'git:secret' });
    await say(['The automobile of Ann.'], { project: 'git:a', agent: 'claude' });
    await say(['The automobile of Bob.'], { project: 'git:b', tags: ['work'] });
    await engine.catchUp();
    expect((await texts('car')).sort()).toEqual(['The automobile of Ann.', 'The automobile of Bob.']);
    expect(await texts('car', { project: 'git:a' })).toEqual(['The automobile of Ann.']);
    expect(await texts('car', { agent: 'claude' })).toEqual(['The automobile of Ann.']);
    expect(await texts('car', { tag: 'work' })).toEqual(['The automobile of Bob.']);
    expect((await texts('car', { projects: ['git:a', 'git:b'] })).sort()).toEqual([
      'The automobile of Ann.',
      'The automobile of Bob.',
    ]);
    expect(await texts('car', { project: 'git:secret' })).toEqual([]);
    expect(await texts('car', { hereProject: 'git:secret', limit: 7 })).toHaveLength(7);
  });

  it('is done without where the embedder does not answer, and the problem is told', async () => {
    let isDown = false;
    const failing = {
      ...embedder,
      embed: async (texts: readonly string[]) => {
        if (isDown) throw new Error('no luck');
        return embedder.embed(texts);
      },
    };
    const { say, texts, engine, problems } = await createBench({ embedder: failing });
    await say(['The car is red.', 'The automobile is blue.']);
    await engine.catchUp();
    isDown = true;
    expect(await texts('car')).toEqual(['The car is red.']);
    expect(problems).toEqual([{ what: 'embedding-failed', error: expect.objectContaining({ message: 'no luck' }) }]);
  });
});
