import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createConversationId } from '../../model/id.ts';
import type { ToolAccess } from '../../model/ports/tool.ts';
import { ApprovalGrants } from './approval-grants.ts';
import { ApprovalRules, type RuleTexts } from './approval-rule.ts';
import { type ApprovalAnswer, type ApprovalQuestion, type ApprovalRequest, Approvals, type DecidedRequest } from './approvals.ts';

const root = createConversationId(1);
const other = createConversationId(2);
const forever = new AbortController().signal;
const opened: ApprovalGrants[] = [];
afterEach(() => {
  for (const grants of opened.splice(0)) grants.close();
});

describe('a call', () => {
  it('that needs nothing is allowed, and nobody hears of it', async () => {
    const { approvals, decided } = setUp();
    expect(await approvals.decide(request([]))).toEqual({ decision: 'allowed', by: 'default' });
    expect(decided).toEqual([]);
  });

  it('is allowed by rules if they speak for all it needs', async () => {
    const { approvals, decided } = setUp({ rules: { allow: ['git status', 'ls'] } });
    expect(
      await approvals.decide(
        request([
          ['git', 'status'],
          ['ls', '-l'],
        ]),
      ),
    ).toEqual({ decision: 'allowed', by: 'rule' });
    expect(decided).toEqual([
      {
        requestId: expect.stringMatching(/^apr_/),
        conversationId: root,
        callId: 'c1',
        tool: 'run_command',
        decision: 'allowed',
        by: 'rule',
      },
    ]);
  });

  it('is asked about for what rules and earlier answers leave open', async () => {
    const { approvals, grants, questions, decided } = setUp({ rules: { allow: ['ls'] }, answer: { allow: true } });
    await grants.grant({ path: ['cat'] });
    const needs = [['ls'], ['cat', 'x'], ['rm', 'x']];
    expect(await approvals.decide(request(needs))).toEqual({ decision: 'allowed', by: 'person' });
    expect(questions).toEqual([
      {
        requestId: decided[0]?.requestId,
        conversationId: root,
        callId: 'c1',
        tool: 'run_command',
        summary: 'what it does',
        needs: [['rm', 'x']],
        signal: forever,
      },
    ]);
  });

  it('is denied by a deny rule without asking, whatever allows it', async () => {
    const { approvals, grants, questions } = setUp({ rules: { allow: ['git'], deny: ['git push'] }, answer: { allow: true } });
    await grants.grant({ path: ['git', 'push'] });
    expect(await approvals.decide(request([['ls'], ['git', 'push']]))).toEqual({ decision: 'denied', by: 'rule' });
    expect(await approvals.decide(request([['git', 'push']], { askAlways: 'x' }))).toEqual({ decision: 'denied', by: 'rule' });
    expect(questions).toEqual([]);
  });

  it('is denied by the person', async () => {
    const { approvals, decided } = setUp({ answer: { allow: false, remember: { scope: 'session' } } });
    expect(await approvals.decide(request([['rm']]))).toEqual({ decision: 'denied', by: 'person' });
    expect(decided.map(({ decision, by }) => [decision, by])).toEqual([['denied', 'person']]);
  });

  it('is denied where nobody can be asked', async () => {
    const { approvals, questions } = setUp({ mode: 'deny', answer: { allow: true } });
    expect(await approvals.decide(request([['rm']]))).toEqual({ decision: 'denied', by: 'default' });
    expect(questions).toEqual([]);
    const grants = new ApprovalGrants({ root });
    opened.push(grants);
    const alone = new Approvals({ rules: new ApprovalRules(), grants, mode: 'ask' });
    expect(await alone.decide(request([['rm']]))).toEqual({ decision: 'denied', by: 'default' });
  });

  it('is denied by an answer that is not a plain yes', async () => {
    for (const allow of ['yes', 1, undefined, null]) {
      const { approvals } = setUp({ answer: { allow } as never });
      expect(await approvals.decide(request([['rm']]))).toEqual({ decision: 'denied', by: 'person' });
    }
  });
});

describe('a call that only a person may answer', () => {
  const opaque = { askAlways: 'it has a redirection' };

  it('is asked about although a rule and a grant speak for it, and the answer is not remembered', async () => {
    const answer: ApprovalAnswer = { allow: true, remember: { scope: 'session' } };
    const { approvals, grants, questions } = setUp({ rules: { allow: ['ls'] }, answer });
    await grants.grant({ path: ['ls'] });
    for (let i = 0; i < 2; i++)
      expect(await approvals.decide(request([['ls']], opaque))).toEqual({ decision: 'allowed', by: 'person' });
    expect(questions.map(({ needs, reason }) => ({ needs, reason }))).toEqual(
      Array(2).fill({ needs: [['ls']], reason: 'it has a redirection' }),
    );
    expect((await grants.list()).length).toBe(1);
  });

  it('is asked about also where it names no need, and denied where nobody can be asked', async () => {
    const asked = setUp({ answer: { allow: true } });
    expect(await asked.approvals.decide(request([], opaque))).toEqual({ decision: 'allowed', by: 'person' });
    const silent = setUp({ mode: 'deny', rules: { allow: ['ls'] } });
    expect(await silent.approvals.decide(request([['ls']], opaque))).toEqual({ decision: 'denied', by: 'default' });
  });
});

describe('an answer that is to be remembered', () => {
  it('allows exactly what was asked, in this conversation', async () => {
    const { approvals, grants, questions } = setUp({ answer: { allow: true, remember: { scope: 'conversation' } } });
    const first = await approvals.decide(request([['rm', 'x']]));
    const [grant] = await grants.list();
    expect(grant?.key).toEqual({ path: ['rm', 'x'], exact: true, conversation: root });
    expect(first).toEqual({ decision: 'allowed', by: 'person', grantId: grant?.id });
    expect(await approvals.decide(request([['rm', 'x']]))).toEqual({ decision: 'allowed', by: 'rule', grantId: grant?.id });
    expect(questions.length).toBe(1);
    await approvals.decide(request([['rm', 'x', 'y']]));
    await approvals.decide(request([['rm', 'x']], {}, { conversationId: other }));
    expect(questions.length).toBe(3);
  });

  it('allows what begins with the chosen words, in the session, for a while', async () => {
    const remember = { scope: 'session', prefix: [['git', 'log']], milliseconds: 500 } as const;
    const { approvals, questions, time } = setUp({ answer: { allow: true, remember } });
    await approvals.decide(request([['git', 'log', '-1']]));
    expect(await approvals.decide(request([['git', 'log', '-2']], {}, { conversationId: other }))).toMatchObject({ by: 'rule' });
    expect(questions.length).toBe(1);
    time.now += 500;
    expect(await approvals.decide(request([['git', 'log', '-2']]))).toMatchObject({ by: 'person' });
  });

  it('allows nothing that the question did not show', async () => {
    const remember = { scope: 'session', prefix: [[], ['rm'], ['git', 'log', '-1', '-2'], ['git']] } as const;
    const { approvals, grants } = setUp({ answer: { allow: true, remember } });
    await approvals.decide(request([['git', 'log', '-1']]));
    expect((await grants.list()).map(({ key }) => key)).toEqual([{ path: ['git'] }]);
  });

  it('counts once for each thing that was needed', async () => {
    const { approvals, grants } = setUp({ rules: { allow: ['ls'] }, answer: { allow: true, remember: { scope: 'session' } } });
    const { grantId } = await approvals.decide(request([['a'], ['ls'], ['b']]));
    const kept = await grants.list();
    expect(kept.map(({ key }) => key)).toEqual([
      { path: ['a'], exact: true },
      { path: ['b'], exact: true },
    ]);
    expect(grantId).toBe(kept[0]?.id);
  });
});

describe('questions', () => {
  it('are asked one after the other, and one that an earlier answer settles is not asked', async () => {
    const { approvals, questions, answers } = setUp({ answer: 'later' });
    const first = approvals.decide(request([['rm', 'x']]));
    const same = approvals.decide(request([['rm', 'x']]));
    const third = approvals.decide(request([['mv', 'x']]));
    await nextTick();
    expect(questions.map(({ needs }) => needs)).toEqual([[['rm', 'x']]]);
    answers.shift()?.({ allow: true, remember: { scope: 'session' } });
    expect(await first).toMatchObject({ by: 'person' });
    expect(await same).toMatchObject({ by: 'rule' });
    await nextTick();
    expect(questions.map(({ needs }) => needs)).toEqual([[['rm', 'x']], [['mv', 'x']]]);
    answers.shift()?.({ allow: false });
    expect(await third).toEqual({ decision: 'denied', by: 'person' });
  });

  it('that are no longer wanted end as cancelled, whether asked or waiting, and the next is asked', async () => {
    const { approvals, questions, answers, decided, grants } = setUp({ answer: 'later' });
    const stop = [new AbortController(), new AbortController()] as const;
    const asked = approvals.decide(request([['a']], {}, { signal: stop[0].signal }));
    const waiting = approvals.decide(request([['b']], {}, { signal: stop[1].signal }));
    const last = approvals.decide(request([['c']]));
    await nextTick();
    stop[1].abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect(questions.length).toBe(1);
    stop[0].abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    answers.shift()?.({ allow: true, remember: { scope: 'session' } });
    await nextTick();
    expect(await grants.list()).toEqual([]);
    expect(questions.map(({ needs }) => needs)).toEqual([[['a']], [['c']]]);
    answers.shift()?.({ allow: true });
    expect(await last).toEqual({ decision: 'allowed', by: 'person' });
    expect(decided.map(({ decision, by }) => [decision, by])).toEqual([
      ['denied', 'default'],
      ['denied', 'default'],
      ['allowed', 'person'],
    ]);
  });

  it('are not asked for a turn that is cancelled already', async () => {
    const { approvals, questions } = setUp({ rules: { allow: ['ls'] }, answer: { allow: true } });
    const cancelled = approvals.decide(request([['ls']], {}, { signal: AbortSignal.abort() }));
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(questions).toEqual([]);
  });

  it('that are answered while the turn is being cancelled allow nothing', async () => {
    const stop = new AbortController();
    const { approvals, grants } = setUp({
      ask: async () => {
        stop.abort();
        return { allow: true, remember: { scope: 'session' } };
      },
    });
    await expect(approvals.decide(request([['a']], {}, { signal: stop.signal }))).rejects.toMatchObject({ code: 'cancelled' });
    expect(await grants.list()).toEqual([]);
  });

  it('that fail leave the call denied, and the next is asked', async () => {
    const { approvals, decided } = setUp({
      ask: async ({ needs }) => {
        if (needs[0]?.[0] === 'a') throw new Error('the terminal is gone');
        return { allow: true };
      },
    });
    await expect(approvals.decide(request([['a']]))).rejects.toThrow('the terminal is gone');
    expect(await approvals.decide(request([['b']]))).toEqual({ decision: 'allowed', by: 'person' });
    expect(decided.map(({ decision }) => decision)).toEqual(['denied', 'allowed']);
  });
});

interface Given {
  rules?: RuleTexts;
  mode?: 'ask' | 'deny';
  answer?: ApprovalAnswer | 'later';
  ask?: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
}

function setUp({ rules, mode = 'ask', answer = { allow: false }, ask }: Given = {}) {
  const time = { now: 1000 };
  const clock = () => time.now;
  const grants = new ApprovalGrants({ root, clock });
  opened.push(grants);
  const questions: ApprovalQuestion[] = [];
  const decided: DecidedRequest[] = [];
  const answers: ((answer: ApprovalAnswer) => void)[] = [];
  const approvals = new Approvals({
    rules: new ApprovalRules(rules),
    grants,
    mode,
    clock,
    ask: ask ?? (() => (answer === 'later' ? new Promise((resolve) => answers.push(resolve)) : Promise.resolve(answer))),
    onRequest: (question) => void questions.push(question),
    onDecision: (each) => void decided.push(each),
  });
  return { approvals, grants, questions, decided, answers, time };
}

function request(needs: string[][], access: Partial<ToolAccess> = {}, changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const whole = { needs, summary: 'what it does', ...access };
  return { conversationId: root, callId: 'c1', tool: 'run_command', access: whole, signal: forever, ...changes };
}
