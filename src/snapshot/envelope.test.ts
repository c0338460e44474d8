import { describe, expect, it } from 'vitest';
import { type EnvelopeFormat, openEnvelope } from './envelope.ts';

/** A format of its own, as another restorable object would have it. */
const format: EnvelopeFormat = {
  versionField: 'version',
  version: '2.1',
  upgrades: [
    {
      version: '1.0',
      apply: ({ messages, model_name, ...rest }) => ({
        ...rest,
        state: { messages: messages ?? [], model_name: model_name ?? null },
      }),
    },
    { version: '2.0', apply: (document) => ({ ...document, saved_at: document.saved_at ?? 'unknown' }) },
    { version: '2.1', apply: (document) => ({ ...document, file_prefix: 'code' }) },
  ],
};

const read = (document: unknown) => openEnvelope(JSON.stringify(document), format, '/x.json');

describe('the envelope', () => {
  it('brings a document up step by step, from wherever it stands', () => {
    const state = { messages: [1], model_name: 'm' };
    expect(read({ messages: [1], model_name: 'm' })).toEqual({ version: '2.1', state, saved_at: 'unknown', file_prefix: 'code' });
    expect(read({ version: '1.0', state, saved_at: 'then' })).toEqual({
      version: '2.1',
      state,
      saved_at: 'then',
      file_prefix: 'code',
    });
    expect(read({ version: '2.0', state })).toEqual({ version: '2.1', state, file_prefix: 'code' });
    expect(read({ version: '2.1.7', state })).toEqual({ version: '2.1.7', state });
  });

  it.each(['2.2', '3', '10.0', '2.10'])('refuses version %s, which is newer, and says to upgrade', (version) => {
    expect(() => read({ version })).toThrow(
      expect.objectContaining({ code: 'session-newer', details: { path: '/x.json', found: version, known: '2.1' } }),
    );
  });

  it.each([2, null, '', 'v2', '2.x', '2.1.0.0', '99999999999', {}])('refuses %j, which is no version', (version) => {
    expect(() => read({ version })).toThrow(
      expect.objectContaining({
        code: 'session-damaged',
        details: { path: '/x.json', reason: '"version" is not a version such as "2.1"' },
      }),
    );
  });

  it('is parsed, however deep, without a fall', () => {
    const text = `{"version":"2.1","state":${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}}`;
    expect(openEnvelope(text, format, '/x.json').version).toBe('2.1');
    const hidden = text.replace('1}', '{"__proto__":1}}');
    expect(() => openEnvelope(hidden, format, '/x.json')).toThrow(expect.objectContaining({ code: 'session-damaged' }));
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});
