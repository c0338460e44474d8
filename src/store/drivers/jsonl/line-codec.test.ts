import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSealer } from '../../../crypto/line-sealer.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { EntryRecord } from '../../../model/ports/store-driver.ts';
import { scanEntry } from './entry-scan.ts';
import { createLineCodec, type LineCodec, type Metadata } from './line-codec.ts';

const codecs: [string, LineCodec][] = [
  ['plain', createLineCodec()],
  ['sealed', createLineCodec(createLineSealer(new Uint8Array(32).fill(3), '/store'))],
];

const metadata: Metadata = {
  conversation: {
    id: 'cnv_01hzzzzzzzzzzzzzzzzzzzzzzz' as ConversationId,
    title: 'Über 标题',
    tags: ['a'],
    pinned: true,
    policy: { kind: 'ttl', milliseconds: 5, afterwards: 'delete' },
    meta: { x: [1, null] },
    createdAt: 1,
    activeAt: 2,
    lastSeq: 3,
  },
  base: 1,
  removed: 1,
  rewrites: 2,
  nextExpiresAt: 9,
};

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constant('a\nb\r\n\u2028"\\'));
const anyJson = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc.constantFrom('{ "spaced": 1 }', '{"b":1,"1":2}', '{"n":1.0}', 'not json', '"text"', '[]', 'null'),
);
const anyRecord: fc.Arbitrary<EntryRecord> = fc.record({
  seq: fc.integer({ min: 1 }),
  at: fc.integer({ min: 0 }),
  kind: fc.constantFrom('message', 'tool-call', 'label'),
  header: anyJson,
  text: fc.option(anyText),
  data: fc.option(anyJson),
  expiresAt: fc.option(fc.integer({ min: 0 })),
});

function decode(codec: LineCodec, line: string) {
  return codec.decode(Buffer.from(line.slice(0, -1)));
}

describe.each(codecs)('a %s line', (name, codec) => {
  it('gives back any entry, on one line', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const line = codec.encodeEntry(record);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(decode(codec, line)).toEqual({ kind: 'entry', record });
      }),
      { numRuns: 300 },
    );
  });

  it('gives back metadata', () => {
    expect(decode(codec, codec.encodeMetadata(metadata))).toEqual({ kind: 'metadata', metadata });
  });

  it('says nothing rather than something wrong, whichever byte of it changes', () => {
    const record: EntryRecord = {
      seq: 7,
      at: 1,
      kind: 'message',
      header: '{"role":"user"}',
      text: 'né 中',
      data: null,
      expiresAt: 5,
    };
    for (const line of [codec.encodeEntry(record), codec.encodeMetadata(metadata)]) {
      const bytes = Buffer.from(line.slice(0, -1));
      for (let i = 0; i < bytes.length; i++) {
        for (const flip of [0x01, 0x20, 0x80, 0xff]) {
          const changed = Buffer.from(bytes);
          changed[i] = (changed[i] as number) ^ flip;
          expect(codec.decode(changed), `byte ${i} of ${name}`).toBeUndefined();
        }
        expect(codec.decode(bytes.subarray(0, i))).toBeUndefined();
      }
    }
  });

  it.each(['', '{}', 'null', '{"type":"message","seq":1}', '\0\0\0\0', '[]', '{"type":"metadata","data":null}'])(
    'takes %j for damage',
    (text) => {
      expect(codec.decode(Buffer.from(text))).toBeUndefined();
    },
  );
});

describe('an entry taken apart by its layout', () => {
  it('is what parsing gives', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const line = `${createLineCodec()
          .encodeEntry(record)
          .replace(/,"sum":"[0-9a-f]{8}"\}\n$/, '')}}`;
        const scanned = scanEntry(line);
        if (scanned) expect(scanned).toEqual(record);
        const isPlain = [record.header, record.data ?? '{}'].every((json) => json.startsWith('{') && isCanonical(json));
        expect(scanned !== undefined).toBe(isPlain);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '{"type":"message","seq":1,"at":2,"header":{"role":"user"},"text":"Hello"',
    '{"type":"message","seq":1,"at":2,"header":{"role":"user"},"text":"Hello"}}',
    '{"type":"message","seq":1,"at":2,"header":{"role":"user},"text":"Hello"}',
    '{"type":"message","seq":01,"at":2,"header":{},"text":"Hello"}',
    '{"type":"message","seq":1,"at":2,"header":[],"text":"Hello"}',
    '{"type":"message","seq":1,"at":2,"header":{},"text":"Hello\\"}',
    '{"type":"message","seq":1,"at":2,"header":{},"text":"Hello","more":1}',
    '{"type":"metadata","seq":1,"at":2,"header":{},"text":"Hello"}',
    '{"seq":1}',
    '',
  ])('gives up on %s', (line) => {
    expect(scanEntry(line)).toBeUndefined();
  });
});

function isCanonical(json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === json;
  } catch {
    return false;
  }
}

describe('a plain line', () => {
  it('can be read by people and other programs', () => {
    const record: EntryRecord = {
      seq: 1,
      at: 2,
      kind: 'message',
      header: '{"role":"user"}',
      text: 'Hello',
      data: null,
      expiresAt: null,
    };
    const line = createLineCodec().encodeEntry(record);
    expect(line).toBe('{"type":"message","seq":1,"at":2,"header":{"role":"user"},"text":"Hello","sum":"56defef1"}\n');
    expect(JSON.parse(createLineCodec().encodeMetadata(metadata))).toMatchObject({
      type: 'metadata',
      data: metadata.conversation,
    });
  });
});
