// OpenAI messages and entries, there and back.
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../model/entry.ts';
import { fromOpenAiMessage, OpenAiMessageList, toOpenAiMessages } from './openai-messages.ts';

const talk: NewEntry[] = [
  { kind: 'message', role: 'system', text: 'Be brief.' },
  { kind: 'message', role: 'user', text: '修复解析器', author: { name: 'Lin' } },
  { kind: 'message', role: 'assistant', text: 'I look.' },
  { kind: 'tool-call', callId: 'c1', tool: 'read_file', input: { path: 'a.ts' } },
  { kind: 'tool-call', callId: 'c2', tool: 'run_command', input: { command: 'npm test' } },
  { kind: 'tool-result', callId: 'c1', text: 'export {}' },
  { kind: 'tool-result', callId: 'c2', text: 'ok' },
  { kind: 'tool-call', callId: 'c3', tool: 'list_files', input: {} },
  { kind: 'tool-result', callId: 'c3', text: '' },
  { kind: 'message', role: 'assistant', text: 'Done.' },
];

describe('OpenAI messages', () => {
  it('hold the calls of an answer in the answer', () => {
    expect(toOpenAiMessages(talk)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '修复解析器', name: 'Lin' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } },
          { id: 'c2', type: 'function', function: { name: 'run_command', arguments: '{"command":"npm test"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'export {}' },
      { role: 'tool', tool_call_id: 'c2', content: 'ok' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c3', type: 'function', function: { name: 'list_files', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c3', content: '' },
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  it('become the same entries again', () => {
    expect(toOpenAiMessages(talk).flatMap((message) => fromOpenAiMessage(JSON.parse(JSON.stringify(message))))).toEqual(talk);
  });

  it('leave out what the format has no word for, and what a policy withheld', () => {
    expect(
      toOpenAiMessages([
        { kind: 'thinking', text: 'hm' },
        { kind: 'event', name: 'turn-start', text: '' },
        { kind: 'summary', text: 's', covers: { from: 1, to: 2 } },
      ]),
    ).toEqual([]);
  });

  it('are replaced when they grow, so that one who holds a message sees it unchanged', () => {
    const list = new OpenAiMessageList();
    list.push({ kind: 'message', role: 'assistant', text: 'I look.' });
    const held = list.messages[0];
    list.push({ kind: 'tool-call', callId: 'c1', tool: 'read_file', input: {} });
    expect(held).toEqual({ role: 'assistant', content: 'I look.' });
    expect(list.messages).toHaveLength(1);
    expect(list.messages[0]).not.toBe(held);
  });

  it.each<[string, unknown, NewEntry[]]>([
    [
      'content in parts',
      { role: 'user', content: [{ type: 'text', text: 'see' }, { type: 'image_url', image_url: {} }, 'x', 7] },
      [{ kind: 'message', role: 'user', text: 'see\n[image]\nx' }],
    ],
    ['a developer', { role: 'developer', content: 'rules' }, [{ kind: 'message', role: 'system', text: 'rules' }]],
    [
      'the old single call',
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
      [{ kind: 'tool-call', callId: 'f', tool: 'f', input: { a: 1 } }],
    ],
    ['its result', { role: 'function', name: 'f', content: '3' }, [{ kind: 'tool-result', callId: 'f', text: '3' }]],
    [
      'arguments that are no JSON',
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{a' } }] },
      [{ kind: 'tool-call', callId: 'c', tool: 'f', input: '{a' }],
    ],
    ['an unknown role', { role: 'critic', content: 'x' }, []],
    [
      'a call without a name',
      { role: 'assistant', content: 'x', tool_calls: [{ id: 'c', function: {} }, null] },
      [{ kind: 'message', role: 'assistant', text: 'x' }],
    ],
    ['no object', ['user', 'hi'], []],
    ['nothing', null, []],
  ])('read %s', (_, message, entries) => {
    expect(fromOpenAiMessage(message as never)).toEqual(entries);
  });
});
