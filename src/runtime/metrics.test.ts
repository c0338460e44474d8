import { describe, expect, it } from 'vitest';
import { createConversationId } from '../model/id.ts';
import { type Figures, Metrics } from './metrics.ts';
import { DurationHistogram } from './metrics-histogram.ts';

const first = createConversationId(1);
const second = createConversationId(2);
const noDurations = { count: 0, mean: 0, max: 0, p50: 0, p95: 0 };
const nothing: Figures = {
  turns: 0,
  cancelled: 0,
  failed: 0,
  cancelRate: 0,
  failureRate: 0,
  steps: 0,
  tokens: { input: 0, output: 0, cached: 0 },
  tools: {},
  mcp: { ...noDurations, failed: 0 },
  approvals: { asked: 0, denied: 0 },
  firstToken: noDurations,
};

describe('metrics', () => {
  it('count turns, tokens, tools, MCP calls, approvals and the first token of each conversation', () => {
    const metrics = new Metrics();
    const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 50 };
    metrics.countTurn(first, { outcome: 'done', steps: 2, usage, firstToken: 300 });
    metrics.countTurn(first, { outcome: 'cancelled', steps: 1, usage: {} });
    metrics.countTurn(first, { outcome: 'failed', steps: 1, usage: { inputTokens: 1 } });
    metrics.countTurn(first, { outcome: 'done', steps: 1, usage });
    metrics.countToolCall(first, 'read_file', false);
    metrics.countToolCall(first, 'read_file', true);
    metrics.countToolCall(first, 'run_command', false);
    metrics.countMcpCall(first, { milliseconds: 10, ok: true });
    metrics.countMcpCall(first, { milliseconds: 30, ok: false });
    metrics.countApproval(first, { asked: true, denied: false });
    metrics.countApproval(first, { asked: true, denied: true });
    metrics.countApproval(first, { asked: false, denied: true });
    expect(metrics.get(first)).toEqual({
      turns: 4,
      cancelled: 1,
      failed: 1,
      cancelRate: 0.25,
      failureRate: 0.25,
      steps: 5,
      tokens: { input: 201, output: 40, cached: 100 },
      tools: { read_file: { calls: 2, failed: 1 }, run_command: { calls: 1, failed: 0 } },
      mcp: { count: 2, mean: 20, max: 30, p50: expect.closeTo(11.6, 0), p95: 30, failed: 1 },
      approvals: { asked: 2, denied: 2 },
      firstToken: { count: 1, mean: 300, max: 300, p50: 300, p95: 300 },
    });
    expect(metrics.get(second)).toEqual(nothing);
  });

  it('go on in the figures of the session when a conversation is closed', () => {
    const metrics = new Metrics();
    metrics.countTurn(first, { outcome: 'done', steps: 1, usage: { inputTokens: 5 } });
    metrics.countTurn(second, { outcome: 'failed', steps: 2, usage: { inputTokens: 6 } });
    const last = metrics.close(first);
    expect(last).toEqual({ ...nothing, turns: 1, steps: 1, tokens: { input: 5, output: 0, cached: 0 } });
    expect(metrics.snapshot()).toEqual({
      session: { ...nothing, turns: 2, failed: 1, failureRate: 0.5, steps: 3, tokens: { input: 11, output: 0, cached: 0 } },
      conversations: { [second]: metrics.get(second) },
    });
    expect(metrics.close(first)).toEqual(nothing);
  });

  it('do not grow with tools that do not exist, or with conversations that are counted late', () => {
    const metrics = new Metrics();
    for (let i = 0; i < 2000; i++) metrics.countToolCall(first, `made-up-${i}`, true);
    const { tools } = metrics.get(first);
    expect(Object.keys(tools).length).toBe(501);
    expect(tools['(other)']).toEqual({ calls: 1500, failed: 1500 });
    for (let i = 0; i < 10_050; i++) metrics.countToolCall(createConversationId(i), 'x', false);
    const { conversations, session } = metrics.snapshot();
    expect(Object.keys(conversations).length).toBe(10_000);
    expect(session.tools['made-up-3']).toEqual({ calls: 1, failed: 1 });
  });

  it('are not changed by whoever reads them', () => {
    const metrics = new Metrics();
    metrics.countToolCall(first, 'x', false);
    const figures = metrics.get(first);
    figures.tokens.input = 99;
    (figures.tools.x as { calls: number }).calls = 99;
    expect(metrics.get(first)).toEqual({ ...nothing, tools: { x: { calls: 1, failed: 0 } } });
  });
});

describe('a histogram of durations', () => {
  it('knows percentiles to a quarter, never below the truth and never above the longest', () => {
    const histogram = new DurationHistogram();
    for (let i = 1; i <= 1000; i++) histogram.add(i);
    const { p50, p95, ...exact } = histogram.figures();
    expect(exact).toEqual({ count: 1000, mean: 500.5, max: 1000 });
    expect(p50).toBeGreaterThanOrEqual(500);
    expect(p50).toBeLessThanOrEqual(625);
    expect(p95).toBeGreaterThanOrEqual(950);
    expect(p95).toBeLessThanOrEqual(1000);
  });

  it('takes nothing, nonsense and very long times as they come', () => {
    const histogram = new DurationHistogram();
    for (const value of [0, -5, Number.NaN, 0.2]) histogram.add(value);
    expect(histogram.figures()).toEqual({ count: 4, mean: 0.05, max: 0.2, p50: 0.2, p95: 0.2 });
    histogram.add(1e9);
    expect(histogram.figures().p95).toBe(1e9);
  });
});
