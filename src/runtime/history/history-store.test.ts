import { describe, expect, it } from 'vitest';
import type { PromptItem } from '../../model/ports/text-model.ts';
import { HistoryStore, type PlacedItem } from './history-store.ts';

const user = (text: string): PromptItem => ({ kind: 'message', role: 'user', text });
const assistant = (text: string): PromptItem => ({ kind: 'message', role: 'assistant', text });
const call = (callId: string): PromptItem => ({ kind: 'tool-call', callId, tool: 'ls', input: {} });
const result = (callId: string): PromptItem => ({ kind: 'tool-result', callId, text: 'ok' });
const place = (items: readonly PromptItem[], from = 1): PlacedItem[] => items.map((item, index) => ({ item, seq: from + index }));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => user(`message ${index + 1}`));
const manyTokens = Number.MAX_SAFE_INTEGER;

describe('HistoryStore', () => {
  it('keeps everything within its limits, in order', () => {
    const history = new HistoryStore({ maxItems: 100, maxTokens: manyTokens });
    expect(history.append(place(numbered(100)))).toBeUndefined();
    expect([...history.buildView()]).toEqual(numbered(100));
  });

  it('lets the oldest go first when there are too many, and says how many', () => {
    const history = new HistoryStore({ maxItems: 10, maxTokens: manyTokens });
    expect(history.append(place(numbered(25)))).toEqual({ dropped: 15, kept: 10, reason: 'items' });
    expect([...history.buildView()]).toEqual([
      { kind: 'summary', text: 'The first 15 entries of this conversation are not shown here.', covers: { from: 1, to: 15 } },
      ...numbered(25).slice(15),
    ]);
  });

  it('lets the oldest go first when they cost too many tokens', () => {
    const history = new HistoryStore({ maxItems: 1000, maxTokens: 2048 });
    const long = Array.from({ length: 10 }, (_, index) => user(`${index} ${'word '.repeat(400)}`));
    const trim = history.append(place(long));
    expect(trim?.reason).toBe('tokens');
    expect(history.tokens).toBeLessThanOrEqual(2048);
    expect([...history.buildView()].at(-1)).toBe(long.at(-1));
    expect(history.items + history.dropped).toBe(10);
  });

  it('keeps the newest entry whatever it costs', () => {
    const history = new HistoryStore({ maxItems: 10, maxTokens: 100 });
    history.append(place([user('short'), user('字'.repeat(10_000))]));
    expect([...history.buildView()].map((item) => ('text' in item ? item.text.length : 0)).at(-1)).toBe(10_000);
    expect(history.items).toBe(1);
  });

  it('never parts a tool call from its result', () => {
    const history = new HistoryStore({ maxItems: 4, maxTokens: manyTokens });
    const exchange = [user('q'), assistant('let me look'), call('1'), call('2'), result('1'), result('2'), assistant('done')];
    for (let turn = 0; turn < 5; turn++) {
      history.append(place(exchange));
      const shown = [...history.buildView()];
      const calls = shown.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
      const results = shown.flatMap((item) => (item.kind === 'tool-result' ? [item.callId] : []));
      expect(results).toEqual(calls);
    }
  });

  it('goes on trimming after a call whose result never came', () => {
    const history = new HistoryStore({ maxItems: 4, maxTokens: manyTokens });
    history.append(place([user('q'), call('lost')]));
    history.append(place(numbered(20)));
    expect(history.items).toBeLessThanOrEqual(4);
  });

  it('shows a view as it was when it was made', () => {
    const history = new HistoryStore({ maxItems: 20, maxTokens: manyTokens });
    history.append(place(numbered(20)));
    const view = history.buildView([assistant('pending')]);
    history.append(place(numbered(50), 21));
    expect([...view]).toEqual([...numbered(20), assistant('pending')]);
    expect([...view]).toEqual([...numbered(20), assistant('pending')]);
  });

  it('trims further when a model cannot read so much', () => {
    const history = new HistoryStore({ maxItems: 100, maxTokens: manyTokens });
    history.append(place(numbered(100)));
    const before = history.tokens;
    expect(history.trimTo(Math.floor(before / 2))?.reason).toBe('overflow');
    expect(history.tokens).toBeLessThanOrEqual(before / 2);
    expect([...history.buildView()].at(-1)).toEqual(user('message 100'));
  });

  it('hands over what it let go, once, with the places in the log', () => {
    const history = new HistoryStore({ maxItems: 5, maxTokens: manyTokens }, { keepsDropped: true });
    history.append(place(numbered(8)));
    expect(history.takeDropped()).toEqual({ items: numbered(3), from: 1, to: 3, summary: undefined });
    expect(history.takeDropped()).toBeUndefined();
    history.summarise('three greetings');
    expect([...history.buildView()][0]).toMatchObject({ kind: 'summary', text: 'three greetings' });
  });

  it('holds no more than its limits through a long conversation', () => {
    const history = new HistoryStore({ maxItems: 50, maxTokens: manyTokens });
    for (let turn = 0; turn < 20_000; turn++) history.append([{ item: user('q') }, { item: assistant('a') }]);
    expect(history.items).toBeLessThanOrEqual(50);
    expect(history.segments).toBeLessThanOrEqual(50);
    expect(history.dropped + history.items).toBe(40_000);
  });
});
