import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { isContinuoError } from '../model/error.ts';
import { createConversationId } from '../model/id.ts';
import type { Tool } from '../model/ports/tool.ts';
import { cleanToolName, createToolRegistry } from './registry.ts';

function toolOf(name: string, more: Partial<Tool> = {}): Tool {
  const access = () => ({ needs: [], summary: name });
  const run = async () => ({ text: `${name} of ${more.source ?? 'server'}` });
  return { name, description: `does ${name}`, inputSchema: { type: 'object' }, source: 'server', access, run, ...more };
}

const namesOf = (builtin: Tool[], others: Tool[]) => createToolRegistry(builtin, others).specs.map(({ name }) => name);

describe('the registry', () => {
  it('keeps built-in tools as given, then the others by code units', () => {
    expect(namesOf([toolOf('z'), toolOf('b')], [toolOf('é'), toolOf('a'), toolOf('Z'), toolOf('_'), toolOf('a-b')])).toEqual([
      'z',
      'b',
      'Z',
      '_',
      cleanToolName('é'),
      'a',
      'a-b',
    ]);
  });

  it('says the same, byte for byte, whatever order tools and keys come in', () => {
    const properties: JsonObject = {
      b: { type: 'string', minLength: 1 },
      a: { enum: ['x', 'y'], type: 'string' },
      10: {},
      9: {},
    };
    const tools = ['c', 'a', 'b', 'a'].map((name) => toolOf(name, { inputSchema: { type: 'object', properties } }));
    const expected = JSON.stringify(createToolRegistry([toolOf('x')], tools).specs);
    fc.assert(
      fc.property(fc.shuffledSubarray(tools, { minLength: 4 }), fc.infiniteStream(fc.boolean()), (shuffled, coins) => {
        const mixed = shuffled.map((tool) => ({ ...tool, inputSchema: mixKeys(tool.inputSchema, coins) as JsonObject }));
        const registry = createToolRegistry([toolOf('x')], mixed);
        expect(JSON.stringify(registry.specs)).toBe(expected);
        expect(JSON.stringify(registry.specs)).toBe(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('merges the same tool of two sources; the first by source stays, whatever order they came in', async () => {
    const [one, two] = [toolOf('a', { source: 'one', description: '1' }), toolOf('a', { source: 'two', description: '2' })];
    const context = { conversationId: createConversationId(0), signal: new AbortController().signal };
    for (const others of [
      [one, two],
      [two, one],
    ]) {
      const registry = createToolRegistry([], others);
      expect(registry.specs).toEqual([{ name: 'a', description: '1', inputSchema: { type: 'object' } }]);
      expect(registry.get('a').source).toBe('one');
      expect(await registry.get('a').run({}, context)).toEqual({ text: 'a of one' });
    }
    expect(createToolRegistry([toolOf('a', { source: 'built-in' })], [one]).get('a').source).toBe('built-in');
  });

  it('refuses two different tools of one name, the same way in every order', () => {
    const one = toolOf('a', { source: 'one' });
    const two = toolOf('a', { source: 'two', inputSchema: { type: 'object', required: ['x'] } });
    for (const others of [
      [one, two],
      [two, one],
    ]) {
      expect(conflictOf(() => createToolRegistry([], others))).toEqual({ tool: 'a', first: 'one', second: 'two' });
    }
    expect(conflictOf(() => createToolRegistry([{ ...two, source: 'built-in' }], [one]))).toEqual({
      tool: 'a',
      first: 'built-in',
      second: 'one',
    });
    expect(conflictOf(() => createToolRegistry([], [toolOf('a.b'), toolOf('a_b')]))).toEqual({
      tool: 'a_b',
      first: 'server',
      second: 'server',
    });
  });

  it('gives tools by the name a model knows', async () => {
    const tool = toolOf('files.read');
    const registry = createToolRegistry([], [tool]);
    expect(registry.get('files_read').name).toBe('files_read');
    expect(await registry.get('files_read').access({})).toEqual({ needs: [], summary: 'files.read' });
    expect(() => registry.get('files.read')).toThrow('There is no tool "files.read".');
  });

  it('keeps a schema with strange keys', () => {
    const inputSchema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}',
    ) as JsonObject;
    expect(JSON.stringify(createToolRegistry([], [toolOf('a', { inputSchema })]).specs[0]?.inputSchema)).toBe(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{}},"type":"object"}',
    );
  });
});

describe('names that every provider takes', () => {
  it.each([
    ['mcp__github__create-issue', 'mcp__github__create-issue'],
    ['a.b/c:d e', 'a_b_c_d_e'],
    ['', '_e3b0c442'],
  ])('%j', (name, clean) => {
    expect(cleanToolName(name)).toBe(clean);
  });

  it('are short and allowed for any name, and different names that were cut stay different', () => {
    const unit = fc.constantFrom('a', 'Z', '9', '_', '-', '.', ' ', '\0', 'é', '搜', '😀', '\ud800');
    fc.assert(fc.property(fc.string({ unit, maxLength: 200 }), (name) => /^[a-zA-Z0-9_-]{1,64}$/.test(cleanToolName(name))));
    const long = 'x'.repeat(100);
    expect(new Set([`${long}1`, `${long}2`, '搜索', '查询'].map(cleanToolName)).size).toBe(4);
  });
});

function conflictOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return isContinuoError(error, 'tool-conflict') ? error.details : error;
  }
}

/** The same value with its keys in another order. */
function mixKeys(value: unknown, coins: Iterator<boolean>): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, mixKeys(inner, coins)] as const);
  return Object.fromEntries(coins.next().value ? entries.reverse() : entries);
}
