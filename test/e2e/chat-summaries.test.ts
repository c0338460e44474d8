// Summaries and topics that chat writes by itself: when, by whom, under which policies, and that nothing else changes by them.
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { refuse } from '../support/model-server/script.ts';
import { needs } from '../support/require-system.ts';
import { closeScripts, saidTo, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

closeScripts();

interface Shown {
  conversation: { id: string; activeAt: number; meta: { topics?: string[] } };
  entries: Entry[];
}

const talk = [
  [
    'How do we cache the navigation map for the sofa route?',
    'We decided to keep it in Redis, because everything else is there already.',
  ],
  ['Which key does the navigation map get?', 'The key is map:sofa, and the navigation map expires after an hour.'],
  ['What is left?', 'Next step: write the test for the navigation map cache.'],
] as const;

/** So many turns, one process each, in one conversation. */
async function say(cli: Cli, env: Record<string, string>, turns: number, more: readonly string[] = []): Promise<void> {
  for (let i = 0; i < turns; i++) {
    const { code, stderr } = await cli.run(
      ['chat', '-p', (talk[i % 3] as readonly string[])[0] as string, ...(i === 0 ? more : ['--continue'])],
      { env },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
}

async function show(cli: Cli): Promise<Shown & { summaries: Extract<Entry, { kind: 'summary' }>[] }> {
  const shown = await cli.json<Shown>(['show', 'latest', '--all']);
  return { ...shown, summaries: shown.entries.filter((entry) => entry.kind === 'summary') };
}

const answers = talk.map(([, text]) => ({ text }));

describe('conversation.auto_summary_threshold', () => {
  it('gives a conversation a summary after so many messages, and the next one after as many more', async () => {
    const cli = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '4' });
    const { server, env } = await startScript([...answers, ...answers]);
    await say(cli, env, 1);
    expect((await show(cli)).summaries).toEqual([]);
    for (const [asked] of talk.slice(1)) await cli.run(['chat', '-p', asked, '--continue'], { env });
    const first = await show(cli);
    const messages = first.entries.filter(({ kind }) => kind === 'message');
    expect(first.summaries).toMatchObject([{ covers: { from: 1, to: messages[3]?.seq }, meta: { by: 'extractive' } }]);
    expect(first.summaries[0]?.text).toContain(
      'Decided: We decided to keep it in Redis, because everything else is there already.',
    );
    expect(first.summaries[0]?.at).toBe(messages[3]?.at);
    // Its text is not shown in place of what was said: the third turn had all of it.
    expect(server.requests.map((request) => saidTo(request).length)).toEqual([1, 3, 5]);
    await cli.run(['chat', '-p', talk[0][0], '--continue'], { env });
    const second = await show(cli);
    expect(second.summaries.map(({ covers }) => covers)).toEqual([
      { from: 1, to: messages[3]?.seq },
      { from: 1, to: second.entries.findLast(({ kind }) => kind === 'message')?.seq },
    ]);
    // Nor does a summary count as something said.
    expect(second.conversation.activeAt).toBe(
      Math.max(...second.entries.filter(({ kind }) => kind !== 'summary').map(({ at }) => at)),
    );
  });

  it('of 0 writes none, and neither does a policy that keeps no text', async () => {
    const { env } = await startScript([...answers, ...answers, ...answers]);
    const never = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '0' });
    await say(never, env, 3);
    expect(await show(never)).toMatchObject({ summaries: [], conversation: { meta: {} } });
    const headers = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '2' });
    await say(headers, env, 3, ['--policy', 'headers-only']);
    const shown = await show(headers);
    expect(shown.summaries).toEqual([]);
    expect(shown.conversation.meta.topics).toBeUndefined();
  });

  it('masks in a summary what is masked in the text', async () => {
    const cli = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '2', CONTINUO_SUMMARY_BY: 'model' });
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);
    const { env } = await startScript([{ text: `The token is ${secret}.` }, { text: `They use ${secret} for the robot.` }]);
    await cli.run(['chat', '-p', 'Which token does the robot use?'], { env });
    const { summaries } = await show(cli);
    expect(summaries).toMatchObject([{ meta: { by: 'model' }, text: expect.stringContaining('for the robot') }]);
    expect(JSON.stringify(summaries)).not.toContain(secret);
  });
});

describe('conversation.summary.by', () => {
  it('model: has the model of the chat write it, with what was said', async () => {
    const cli = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '4', CONTINUO_SUMMARY_BY: 'model' });
    const { server, env } = await startScript([...answers.slice(0, 2), { text: 'They cache the map in Redis under map:sofa.' }]);
    await say(cli, env, 2);
    expect((await show(cli)).summaries).toMatchObject([
      { text: 'They cache the map in Redis under map:sofa.', meta: { by: 'model' }, covers: { from: 1 } },
    ]);
    expect(saidTo(server.requests[2] as never)).toEqual([
      ...talk.slice(0, 2).flatMap(([asked, answered]) => [`user: ${asked}`, `assistant: ${answered}`]),
      expect.stringContaining('user: Summarise the conversation above'),
    ]);
  });

  it('model: takes the conversation’s own sentences where the model fails, and says so', async () => {
    const cli = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '2', CONTINUO_SUMMARY_BY: 'model' });
    const { env } = await startScript([answers[0] as { text: string }, { fault: refuse(400, 'not today') }]);
    const { stderr, stdout, code } = await cli.run(['chat', '-p', talk[0][0]], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${talk[0][1]}\n` });
    expect(stderr).toMatch(/^The model did not write the summary; it is made of the conversation's own sentences\./);
    expect((await show(cli)).summaries).toMatchObject([{ meta: { by: 'extractive' }, text: expect.stringContaining('Redis') }]);
  });
});

describe('conversation.topics', () => {
  it('are kept with the conversation, named by show, found by search, and as many as wanted', async () => {
    const cli = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '4', CONTINUO_MAX_TOPICS: '2' });
    const { env } = await startScript(answers);
    await say(cli, env, 2);
    const { conversation } = await show(cli);
    const { topics = [] } = conversation.meta;
    expect(topics).toHaveLength(2);
    expect(topics).toContain('navigation map');
    const { conversations } = await cli.json<{ conversations: unknown[] }>(['list']);
    expect(conversations).toMatchObject([{ meta: { topics } }]);
    expect((await cli.run(['show', 'latest'])).stdout).toContain(`about ${topics.join(', ')}`);
    expect((await cli.run(['show', 'latest', '--lang', 'zh'])).stdout).toContain(`主题：${topics.join('、')}`);
    const search = (tag: string) => cli.json<{ groups: { conversationId: string }[] }>(['search', 'redis', '--tag', tag]);
    expect((await search('navigation map')).groups).toMatchObject([{ conversationId: conversation.id }]);
    expect(await search('weather')).toMatchObject({ groups: [], emptyBecause: 'filtered' });
  });

  it('are none where they are switched off', async () => {
    const cli = new Cli({ CONTINUO_AUTO_SUMMARY_THRESHOLD: '4', CONTINUO_TOPICS: 'false' });
    const { env } = await startScript(answers);
    await say(cli, env, 2);
    const { conversation, summaries } = await show(cli);
    expect(summaries).toHaveLength(1);
    expect(conversation.meta.topics).toBeUndefined();
  });
});

describe.runIf(needs(hasTmux, 'tmux, which gives the program a terminal'))('a talk at a terminal', () => {
  it('is summed up when it ends, below the threshold too', async () => {
    const cli = new Cli();
    const { env } = await startScript(answers);
    using screen = await TerminalScreen.open(cli, ['chat'], { env });
    await screen.shows(/\n>$/);
    for (const [asked, answered] of talk) {
      screen.say(asked);
      await screen.shows(`${answered}\n>`);
    }
    screen.press('C-d');
    await screen.shows('ended with 0');
    const { summaries, entries } = await show(cli);
    expect(summaries).toMatchObject([{ covers: { from: 1, to: entries.findLast(({ kind }) => kind === 'message')?.seq } }]);
  });
});
