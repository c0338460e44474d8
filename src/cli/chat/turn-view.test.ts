import { describe, expect, it } from 'vitest';
import type { EventBody, RuntimeEvent } from '../../runtime/runtime-event.ts';
import type { Context } from '../context.ts';
import { en } from '../messages/en.ts';
import { createStyle } from '../output/style.ts';
import { TurnView } from './turn-view.ts';

function shown(...events: EventBody[]): string[] {
  const parts: string[] = [];
  const screen = { write: (text: string) => void parts.push(text), line: (text: string) => void parts.push(`| ${text}`) };
  const view = new TurnView({ text: en, style: createStyle(false) } as Context, screen);
  for (const event of events) view.show({ at: 0, sessionId: 'ses_1', ...event } as RuntimeEvent);
  return parts;
}

const result = (text: string, more: object = {}): EventBody => ({ type: 'tool-result', callId: 'c', tool: 't', text, ...more });

describe('a turn on the screen', () => {
  it('is the answer as it comes, with nothing in it that a terminal obeys', () => {
    expect(shown({ type: 'text-delta', text: 'Hel' }, { type: 'text-delta', text: 'lo\u001b[31m\n' })).toEqual([
      'Hel',
      'lo^[[31m\n',
    ]);
  });

  it('has one line for a call and one for its outcome', () => {
    const call: EventBody = { type: 'tool-call', callId: 'c', tool: 'run_command', input: { command: 'ls\n-l', deep: { a: 1 } } };
    expect(shown(call, { type: 'tool-output', callId: 'c', text: 'x' }, result('\nfirst\nsecond\n'))).toEqual([
      '| → run_command ls -l {"a":1}',
      '| ← 3 lines · first',
    ]);
    expect(
      shown(result('done'), result('no such file', { failed: true }), result('…', { failed: true, code: 'approval-denied' })),
    ).toEqual(['| ← done', '| ← failed · no such file', '| ← not allowed']);
    expect(shown(result('x'.repeat(500)))).toEqual([`| ← ${'x'.repeat(120)}…`]);
  });

  it('says once that the model thinks, and why it takes longer', () => {
    const thought: EventBody = { type: 'thinking-delta', text: 'hm' };
    expect(
      shown(thought, thought, { type: 'model-retry', attempt: 2, delay: 1500, code: 'model-rate-limited' }, thought, {
        type: 'history-trim',
        dropped: 1,
        kept: 3,
        reason: 'items',
      }),
    ).toEqual([
      '| thinking…',
      '| The provider allows no more requests for now; trying again in 2 s (attempt 2)',
      '| thinking…',
      '| 1 older entry is no longer shown to the model; the log keeps everything.',
    ]);
  });
});
