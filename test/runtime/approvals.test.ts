// Approvals in a session: who may, for what, how long, and that a resumed conversation remembers.
import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer, ApprovalQuestion } from '../../src/runtime/approvals/approvals.ts';
import { listStoredGrants, revokeStoredGrant } from '../../src/runtime/approvals/store-grants.ts';
import { createGate, makeTool, openWorkbench, type WorkbenchOptions } from './workbench.ts';

const minute = 60_000;
const call = { toolCalls: [{ tool: 'run', input: {} }] };
/** Calls the tool once a turn. */
const script: NonNullable<WorkbenchOptions['script']> = ({ prompt }) => (prompt.at(-1)?.kind === 'message' ? call : 'ok');
const run = makeTool({ name: 'run', access: { needs: [['git', 'push', 'origin']], summary: 'git push origin' } });

function createPerson(answer: ApprovalAnswer) {
  const asked: ApprovalQuestion[] = [];
  const ask = async (question: ApprovalQuestion) => {
    asked.push(question);
    return answer;
  };
  return { asked, ask };
}

describe('approval scope and expiry', () => {
  it('denies where nobody can be asked, tells the model, and goes on', async () => {
    const { session, heard, model } = await openWorkbench({ tools: [run], script });
    expect((await session.message('push')).text).toBe('ok');
    expect(heard('tool-approval')).toMatchObject([{ decision: 'denied', by: 'default' }]);
    expect(heard('tool-result')).toMatchObject([{ failed: true, code: 'approval-denied' }]);
    expect(model.requests[1]?.prompt.at(-1)).toMatchObject({ kind: 'tool-result', text: 'Not allowed: git push origin' });
  });

  it('asks once and remembers for the conversation only', async () => {
    const { asked, ask } = createPerson({ allow: true, remember: { scope: 'conversation', prefix: [['git', 'push']] } });
    const { session, heard } = await openWorkbench({ tools: [run], script, approvals: { ask } });
    const [first, second] = [await session.open(), await session.open()];
    await first.message('push');
    await first.message('push again');
    expect(asked).toHaveLength(1);
    await second.message('push here');
    expect(asked).toHaveLength(2);
    expect(heard('tool-approval').map(({ by }) => by)).toEqual(['person', 'rule', 'person']);
    expect(heard('tool-approval-request')).toMatchObject([{ summary: 'git push origin', conversationId: first.id }, {}]);
  });

  it('remembers for the whole session where that was said, until it is revoked', async () => {
    const { asked, ask } = createPerson({ allow: true, remember: { scope: 'session' } });
    const { session } = await openWorkbench({ tools: [run], script, approvals: { ask } });
    const [first, second] = [await session.open(), await session.open()];
    await first.message('push');
    await second.message('push');
    expect(asked).toHaveLength(1);
    const [grant] = await session.approvals.list();
    expect(grant?.key).toEqual({ path: ['git', 'push', 'origin'], exact: true });
    await session.approvals.revoke(grant?.id ?? '');
    await second.message('push');
    expect(asked).toHaveLength(2);
  });

  it('ends when its time is over, at the moment of use', async () => {
    let now = Date.now();
    const { asked, ask } = createPerson({ allow: true, remember: { scope: 'session', milliseconds: minute } });
    const { session } = await openWorkbench({ tools: [run], script, approvals: { ask }, clock: () => now });
    await session.message('push');
    now += minute - 1;
    await session.message('push');
    expect(asked).toHaveLength(1);
    now += 1;
    await session.message('push');
    expect(asked).toHaveLength(2);
  });

  it('outlives the process, and can be revoked from outside at once', async () => {
    const { asked, ask } = createPerson({ allow: true, remember: { scope: 'session' } });
    const bench = await openWorkbench({ tools: [run], script, approvals: { ask } });
    await bench.session.message('push');
    const { id } = await bench.session.root();
    await bench.session.close();
    const again = await openWorkbench({ home: bench.home, tools: [run], script, approvals: { ask }, root: { resume: id } });
    await again.session.message('push');
    expect(asked).toHaveLength(1);
    const [grant] = await listStoredGrants(bench.store);
    await revokeStoredGrant(bench.store, grant?.id ?? '');
    await again.session.message('push');
    expect(asked).toHaveLength(2);
  });

  it('follows rules without asking, the forbidding ones first', async () => {
    const { asked, ask } = createPerson({ allow: true });
    const { session, heard } = await openWorkbench({
      tools: [run, makeTool({ name: 'other', access: { needs: [['git', 'status']], summary: 'git status' } })],
      script: ({ prompt }) =>
        prompt.at(-1)?.kind === 'message' ? { toolCalls: [...call.toolCalls, { tool: 'other', input: {} }] } : 'ok',
      approvals: { ask, allow: ['git'], deny: ['git push'] },
    });
    await session.message('go');
    expect(asked).toHaveLength(0);
    expect(heard('tool-approval').map(({ decision, by }) => ({ decision, by }))).toEqual([
      { decision: 'denied', by: 'rule' },
      { decision: 'allowed', by: 'rule' },
    ]);
  });

  it('withdraws the question when the turn is cancelled', async () => {
    const asked = createGate();
    let signal: AbortSignal | undefined;
    const { session, store } = await openWorkbench({
      tools: [run],
      script,
      approvals: {
        ask: (question) => {
          signal = question.signal;
          asked.open();
          return new Promise(() => {});
        },
      },
    });
    const answer = session.message('push').catch((error: unknown) => error);
    await asked.opened;
    (await session.root()).cancel();
    expect(await answer).toMatchObject({ kind: 'cancelled' });
    expect(signal?.aborted).toBe(true);
    const results = (await store.tail((await session.root()).id, 10)).filter((entry) => entry.kind === 'tool-result');
    expect(results).toMatchObject([{ failed: true, meta: { code: 'cancelled' } }]);
  });
});
