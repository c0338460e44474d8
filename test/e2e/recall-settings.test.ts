// The design's own settings file, word for word: accepted, its slips named by their line, and what changes nothing said to change nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { Cli } from './cli-program.ts';

const designed = `[conversation]
# 对话数据库路径
db_path = "data/conversations.db"

# 自动保存间隔（秒）
auto_save_interval = 30

# 最大保留对话数（0 = 不限制）
max_conversations = 1000

# 自动摘要阈值（消息数）
auto_summary_threshold = 10

[conversation.semantic_search]
embedding_dimension = 384
similarity_threshold = 0.7
max_results = 5

[conversation.topics]
auto_extract = true
max_topics = 5

[conversation.cleanup]
enable = true
strategy = "old"
retention_days = 30
min_similarity = 0.3
`;

function withFile(text: string): Cli {
  const cli = new Cli();
  mkdirSync(cli.home);
  writeFileSync(join(cli.home, 'conversation.toml'), text);
  return cli;
}

describe("the design's settings", () => {
  it('are accepted as written, and what has no effect is named', async () => {
    const cli = withFile(designed);
    const { settings } = await cli.json<{ settings: { name: string; value: unknown; origin: { line?: number } }[] }>(['config']);
    const own = settings.filter(({ name }) => name.startsWith('conversation.'));
    expect(own.map(({ name, value, origin }) => [name.slice('conversation.'.length), value, origin.line])).toEqual([
      ['db_path', join(cli.home, 'data/conversations.db'), 3],
      ['auto_save_interval', 30, 6],
      ['max_conversations', 1000, 9],
      ['auto_summary_threshold', 10, 12],
      ['summary.by', 'local', undefined],
      ['semantic_search.embedding_dimension', 384, 15],
      ['semantic_search.similarity_threshold', 0.7, 16],
      ['semantic_search.max_results', 5, 17],
      ['topics.auto_extract', true, 20],
      ['topics.max_topics', 5, 21],
      ['cleanup.enable', true, 24],
      ['cleanup.strategy', 'old', 25],
      ['cleanup.retention_days', 30, 26],
      ['cleanup.min_similarity', 0.3, 27],
    ]);
    const { stderr } = await cli.run(['config']);
    expect(stderr).toContain('conversation.auto_save_interval changes nothing: every word is saved at once.');
    expect(stderr).toContain('conversation.db_path changes nothing');
    expect(stderr).not.toContain('max_results');
  });

  it('name the line of a slip', async () => {
    const cli = withFile(designed.replace('= 0.7', '= 7'));
    const slip = await cli.run(['list', '--lang', 'zh']);
    expect(slip.code).toBe(2);
    expect(slip.stderr).toContain('16');
    expect(slip.stderr).toContain('conversation.semantic_search.similarity_threshold 须为 0 到 1 之间的数，不能是 7');
    expect(await cli.failure(['list'])).toMatchObject({ code: 2, error: { code: 'config-invalid', details: { line: 16 } } });
  });
});

describe('continuo cleanup', () => {
  it('shows what would go, does it when told to, and leaves what is pinned or new', async () => {
    const cli = withFile('[conversation.cleanup]\nretention_days = 30\n');
    const long = Date.now() - 90 * 24 * 60 * 60 * 1000;
    const then = await openStore({ home: cli.home, clock: () => long });
    const old = await then.create({ title: 'Old' });
    const pinned = await then.create({ title: 'Pinned', pinned: true });
    for (const { id } of [old, pinned]) await then.append(id, { kind: 'message', role: 'user', text: 'x' });
    await then.close();
    await cli.json(['append', 'y', '--title', 'New']);
    const would = { done: false, conversations: 3, trash: [{ id: old.id, reason: 'old' }], kept: { pinned: 1 }, left: [] };
    expect(await cli.json(['cleanup'])).toMatchObject(would);
    expect((await cli.run(['cleanup'])).stdout).toContain('1 of 3 conversations would go into the trash:');
    expect(await cli.json(['cleanup', '--yes'])).toMatchObject({ ...would, done: true });
    expect(await cli.json(['cleanup'])).toMatchObject({ done: false, conversations: 2, trash: [] });
    const { conversations } = await cli.json<{ conversations: { id: string }[] }>(['list', '--trash']);
    expect(conversations.map(({ id }) => id)).toEqual([old.id]);
  });
});
