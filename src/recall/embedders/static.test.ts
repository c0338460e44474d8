import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { embedderConformance } from '../../testing/embedder-conformance.ts';
import { openStaticEmbedder } from './static.ts';

const bundled = fileURLToPath(new URL('../../../models/continuo-static-1.bin', import.meta.url));
const fixedTexts = [
  'The parser drops the last token when the input ends without a newline, see lexer.ts line 214.',
  '请把导航模块的日志级别改成 debug，然后重新运行测试，看看沙发坐标是不是还会漂移。',
  'ナビゲーションを設定してください 한국어 문장도 있습니다',
  'ﬁle ＡＢＣ naïve parseHTTPResponse2 0xDEADBEEF a && b => c 🙂',
  'word '.repeat(30_000),
];
const expectedBytes = '89c010533495c8b65b3ad5a404b540d525cd136b8e1434e45e0518a55e60a3b2';
const folder = mkdtempSync(join(tmpdir(), 'continuo-static-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the static embedder', () => {
  for (const { name, run } of embedderConformance(() => openStaticEmbedder())) it(name, run);

  it('comes in one file of at most 16 MB', () => {
    expect(statSync(bundled).size).toBeLessThanOrEqual(16_000_000);
  });

  it('gives the same bytes for the same text on every platform', async () => {
    const embedder = await openStaticEmbedder();
    const vectors = await embedder.embed(fixedTexts);
    const sum = createHash('sha256');
    for (const vector of vectors) sum.update(new Uint8Array(vector.buffer));
    expect(sum.digest('hex')).toBe(expectedBytes);
  });

  it.each([
    ['an identifier and its parts', 'parseHTTPResponse', 'parse http response'],
    ['snake case and its parts', 'max_retry_count', 'MAX RETRY COUNT'],
    ['full width and half width', 'ＡＰＩ １２３', 'api 123'],
    ['traditional and simplified characters', '資料庫連線', '资料库连线'],
    ['letters with and without marks', 'naïve café', 'naive cafe'],
  ])('takes %s for nearly the same', async (_, one, other) => {
    expect(await likeness(one, other)).toBeGreaterThan(0.9);
  });

  it.each([
    'x',
    '7',
    '404',
    'ー',
    'あ',
    'カタカナ',
    '한국어',
    '힘',
    '龍',
    '我',
    '=>',
    '&&',
    'sudo',
    'git',
    'TypeError',
    'k8s',
    'ENOENT',
    'zh',
  ])('knows %s', async (text) => {
    const [vector] = await (await openStaticEmbedder()).embed([text]);
    expect(Math.hypot(...(vector as Float32Array))).toBeCloseTo(1, 4);
  });

  it('finds no meaning in hashes and keys', async () => {
    expect(await likeness('qb19b88b70f4bz', 'q7731c0d9e2ffz')).toBe(0);
    expect(await likeness('commit 9f2c4e1ab77d03 broke the login', 'commit 0b6d83f5e1c2a9 broke the login')).toBeCloseTo(1, 5);
  });

  it.each([
    ['How do I undo the last commit?', '怎么撤销上一次提交', '附近有什么好吃的餐厅'],
    ['the database connection times out', '数据库连接超时', '明天下午三点开会'],
    ['book a flight to Shanghai', '订一张去上海的机票', '这个函数为什么返回空值'],
  ])('finds "%s" nearer to its translation than to something else', async (english, chinese, other) => {
    expect(await likeness(english, chinese)).toBeGreaterThan((await likeness(english, other)) + 0.2);
  });

  it('lets others work between many texts, and stops when it is told to', async () => {
    const embedder = await openStaticEmbedder();
    const texts = Array.from({ length: 20_000 }, (_, i) => `text ${i} about the parser and its tokens`);
    const controller = new AbortController();
    let turns = 0;
    let immediate = setImmediate(function count() {
      turns += 1;
      if (turns === 3) controller.abort();
      else immediate = setImmediate(count);
    });
    await expect(embedder.embed(texts, { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
    clearImmediate(immediate);
    expect(turns).toBe(3);
  });

  describe('with a file that is not what it should be', () => {
    const damaged = (name: string, change: (bytes: Buffer) => Buffer) => {
      const file = join(folder, name);
      writeFileSync(file, change(readFileSync(bundled)));
      return file;
    };
    it.each([
      ['is missing', () => join(folder, 'nowhere.bin'), 'its file cannot be read; install Continuo again'],
      ['is empty', () => damaged('empty', () => Buffer.alloc(0)), 'its file holds something else; install Continuo again'],
      [
        'is text',
        () => damaged('text', () => Buffer.alloc(100_000, 'text ')),
        'its file holds something else; install Continuo again',
      ],
      [
        'is cut off',
        () => damaged('cut', (bytes) => bytes.subarray(0, 1_000_000)),
        'its file is damaged; install Continuo again',
      ],
      ['has one bit changed', () => damaged('bit', flip), 'its file is damaged; install Continuo again'],
      [
        'is of a later format',
        () => damaged('later', ofLaterFormat),
        'its file was made for another version of Continuo; install Continuo again',
      ],
    ])('says so where it %s', async (_, make, reason) => {
      await expect(openStaticEmbedder({ file: make() })).rejects.toMatchObject({ code: 'embedder-failed', details: { reason } });
    });
  });
});

function ofLaterFormat(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(9, 16);
  return bytes;
}

function flip(bytes: Buffer): Buffer {
  bytes[bytes.length - 1000] = (bytes[bytes.length - 1000] as number) ^ 1;
  return bytes;
}

async function likeness(one: string, other: string): Promise<number> {
  const [a, b] = (await (await openStaticEmbedder()).embed([one, other])) as [Float32Array, Float32Array];
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}
