import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import { cutPassage } from './cut-passage.ts';
import { findMatches } from './find-matches.ts';
import { splitPassages } from './split-passages.ts';
import { graphemeBefore, splitSentences } from './text-borders.ts';

const marked = (text: string, terms: string[]) => findMatches(text, terms).map(({ start, end }) => text.slice(start, end));
const sentencesOf = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end).trim());

describe('splitSentences', () => {
  it.each<[string, string[]]>([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['第一句。第二句！第三句？', ['第一句。', '第二句！', '第三句？']],
    ['先做甲；再做乙。', ['先做甲；', '再做乙。']],
    ['Dr. Smith uses v1.2, e.g. here. Done.', ['Dr. Smith uses v1.2, e.g. here.', 'Done.']],
    ['const a = 1;\nconst b = 2;', ['const a = 1;', 'const b = 2;']],
    ['用SQLite做导航。It works.', ['用SQLite做导航。', 'It works.']],
    ['', []],
  ])('splits %j', (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected);
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const spans = splitSentences(text);
        expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

describe('findMatches', () => {
  it.each<[string, string[], string[]]>([
    ['The Parser parses.', ['parser'], ['Parser']],
    ['ＳＱＬｉｔｅ 很快', ['sqlite'], ['ＳＱＬｉｔｅ']],
    ['设置导航到沙发', ['导航', '航到', '到沙'], ['导航到沙']],
    ['把机器人导航到了客厅的沙发', ['导航到沙发'], ['导航', '沙发']],
    ['carpet car cars', ['car'], ['car', 'cars']],
    ['user_name and username', ['name'], ['name']],
    ['open src/a.ts now', ['src/a.ts'], ['src/a.ts']],
    ['用SQLite做', ['sqlite'], ['SQLite']],
    ['cafe\u0301 latte', ['café'], ['cafe\u0301']],
    ['nothing here', ['absent'], []],
    ['anything', ['', ' '], []],
  ])('in %j of %j finds %j', (text, terms, expected) => {
    expect(marked(text, terms)).toEqual(expected);
  });
});

const long = 'We looked at the logs first. The parser failed on line three. Then the cache was cleared. Nobody minded at all.';

describe('cutPassage', () => {
  it('leaves a short text as it is', () => {
    expect(cutPassage('  The parser failed. ', [{ start: 6, end: 12 }], { maxLength: 50 })).toEqual({
      text: 'The parser failed.',
      highlights: [{ start: 4, end: 10 }],
    });
  });

  it('takes the whole sentence of a match and says where something was left out', () => {
    const passage = cutPassage(long, findMatches(long, ['parser']), { maxLength: 40 });
    expect(passage).toEqual({ text: '…The parser failed on line three.…', highlights: [{ start: 5, end: 11 }] });
  });

  it('adds what follows, then what comes before, while it fits', () => {
    expect(cutPassage(long, findMatches(long, ['parser']), { maxLength: 70 }).text).toBe(
      '…The parser failed on line three. Then the cache was cleared.…',
    );
    expect(cutPassage(long, findMatches(long, ['cache']), { maxLength: 95 }).text).toBe(
      '…The parser failed on line three. Then the cache was cleared. Nobody minded at all.',
    );
  });

  it('goes where most matches are', () => {
    const text = `缓存在这里。${'无关的话。'.repeat(30)}缓存失效以后缓存重建。${'别的话。'.repeat(30)}`;
    expect(cutPassage(text, findMatches(text, ['缓存']), { maxLength: 20 }).text).toContain('缓存失效以后缓存重建。');
  });

  it('cuts a sentence that is too long between words', () => {
    const text = `${'word '.repeat(100)}needle ${'other '.repeat(100)}`;
    const { text: passage, highlights } = cutPassage(text, findMatches(text, ['needle']), { maxLength: 60 });
    expect(passage).toMatch(/^…(?:word )+needle(?: other)+…$/);
    expect(highlights.map(({ start, end }) => passage.slice(start, end))).toEqual(['needle']);
  });

  it('begins at the beginning where nothing matched', () => {
    expect(cutPassage(long, [], { maxLength: 40 }).text).toBe('We looked at the logs first.…');
  });

  it('is never too long, never cuts a character, and marks what it was told to', () => {
    const piece = fc.constantFrom(
      '👨‍👩‍👧‍👦',
      'é',
      'e\u0301',
      '🇨🇳',
      '导航',
      '。',
      'word ',
      '. ',
      '\n',
      'needle',
      '沙发',
      '한국',
      '\ud83d',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), fc.integer({ min: 30, max: 120 }), (pieces, maxLength) => {
        const text = pieces.join('');
        const matches = findMatches(text, ['needle', '沙发']);
        const passage = cutPassage(text, matches, { maxLength });
        const inner = passage.text.replace(/^…|…$/g, '');
        expect(passage.text.length).toBeLessThanOrEqual(maxLength);
        expect(text.includes(inner)).toBe(true);
        const at = text.indexOf(inner);
        const borders = [...new Intl.Segmenter('en').segment(text)].map(({ index }) => index).concat(text.length);
        const all = [...text.matchAll(new RegExp(inner.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g'))].map(({ index }) => index);
        const clean = [at, ...all].some((start) => borders.includes(start) && borders.includes(start + inner.length));
        expect(clean).toBe(true);
        for (const { start, end } of passage.highlights) expect(passage.text.slice(start, end)).toMatch(/^(?:needle|沙发)+$/);
        expect(passage.highlights.length > 0).toBe(matches.length > 0);
      }),
      { numRuns: 500 },
    );
  });

  it('is quick in a long text', () => {
    const text = `${'The quick brown fox. '.repeat(100_000)}needle. ${'一句话。'.repeat(100_000)}`;
    const taken = processorTime(() => {
      expect(cutPassage(text, [{ start: 2_100_000, end: 2_100_006 }], { maxLength: 200 }).text).toContain('needle');
    });
    expect(taken).toBeLessThan(1000);
  });
});

describe('graphemeBefore', () => {
  it('agrees with the segmenter everywhere', () => {
    const text = '导航👨‍👩‍👧‍👦e\u0301 🇨🇳🇯🇵 a\u200db क्षि x';
    const borders = [...new Intl.Segmenter('en').segment(text)].map(({ index }) => index);
    for (let place = 0; place < text.length; place++) {
      expect(graphemeBefore(text, place)).toBe(borders.filter((border) => border <= place).at(-1));
    }
  });
});

describe('splitPassages', () => {
  it('keeps a short text whole and an empty one out', () => {
    expect(splitPassages(' Hello there. ')).toEqual([{ text: 'Hello there.', start: 1, end: 13 }]);
    expect(splitPassages(' \n ')).toEqual([]);
  });

  it('cuts at paragraphs', () => {
    const paragraph = 'This sentence has about ten tokens in it, more or less. '.repeat(18).trim();
    const passages = splitPassages([paragraph, paragraph, paragraph].join('\n\n'));
    expect(passages.map(({ text }) => text)).toEqual([paragraph, paragraph, paragraph]);
  });

  it('cuts a long paragraph at sentences', () => {
    const passages = splitPassages('这是一句关于导航的话，大约二十个字。'.repeat(120));
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text.endsWith('。')).toBe(true);
  });

  it('loses only white space and keeps every limit', () => {
    const piece = fc.constantFrom(
      'word ',
      '导航到沙发',
      '。',
      '. ',
      '\n',
      '\n\n',
      '👨‍👩‍👧‍👦',
      'x'.repeat(300),
      '很长'.repeat(150),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const passages = splitPassages(text, { wantedTokens: 40, maxTokens: 80 });
        let end = 0;
        for (const passage of passages) {
          expect(text.slice(end, passage.start).trim()).toBe('');
          expect(text.slice(passage.start, passage.end)).toBe(passage.text);
          expect(estimateTokens(passage.text)).toBeLessThanOrEqual(80);
          end = passage.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });
});
