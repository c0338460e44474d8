// Looking after a store from the shell: counts, settings, backups, the doctor, encryption.
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DriverName, openStore, type StoreKey } from '../../src/open-store.ts';
import { Cli } from './cli-program.ts';

const drivers: DriverName[] = ['sqlite', 'jsonl'];

async function fill(cli: Cli, driver: DriverName = 'sqlite', conversations = 3): Promise<string[]> {
  await using store = await cli.open(driver);
  const ids: string[] = [];
  for (let i = 0; i < conversations; i++) {
    const { id } = await store.create({ title: `Talk ${i}`, agent: i % 2 ? 'gemini' : 'claude', project: '项目甲' });
    await store.append(id, [
      { kind: 'message', role: 'user', text: `question ${i}`, at: 1_000 },
      { kind: 'message', role: 'assistant', text: `answer ${i}`, at: 2_000 },
    ]);
    ids.push(id);
  }
  return ids;
}

/** Everything that is stored, read through the library. */
async function contents(home: string, key?: StoreKey): Promise<unknown[]> {
  await using store = await openStore({ home, ...(key && { key }) });
  const { items } = await store.list({ trash: 'include' });
  return await Promise.all(
    items.map(async (conversation) => ({ conversation, entries: await store.tail(conversation.id, 100) })),
  );
}

/** Changes one stored word behind the store's back. */
async function damage(cli: Cli): Promise<void> {
  const files = await readdir(join(cli.home, 'store'), { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path);
    const place = bytes.indexOf('question 0');
    if (place >= 0) await writeFile(path, bytes.fill('question 9', place, place + 10), { mode: 0o600 });
  }
}

describe('stats', () => {
  it('counts what is stored, also where nothing is', async () => {
    const cli = new Cli();
    const nothing = { conversations: 0, trashed: 0, pinned: 0, entries: 0, bytesOnDisk: 0, byAgent: [], byProject: [] };
    const sessions = { sessions: 0, teams: 0, bytes: 0, unreadable: 0, setAside: 0 };
    expect(await cli.json(['stats'])).toEqual({
      home: cli.home,
      driver: null,
      encrypted: false,
      ...nothing,
      sessions,
      index: { state: 'absent' },
    });
    const [first = ''] = await fill(cli);
    await cli.run(['trash', first]);
    expect(await cli.json(['stats'])).toEqual({
      home: cli.home,
      driver: 'sqlite',
      encrypted: false,
      conversations: 3,
      trashed: 1,
      pinned: 0,
      entries: 6,
      bytesOnDisk: expect.any(Number),
      byAgent: [
        { name: 'claude', conversations: 2 },
        { name: 'gemini', conversations: 1 },
      ],
      byProject: [{ name: '项目甲', conversations: 3 }],
      sessions,
      index: { state: 'absent' },
    });
    expect((await cli.run(['stats', '--lang', 'zh'])).stdout).toMatch(/^对话 +3（置顶 0，回收站 1）$/m);
  });
});

describe.each(drivers)('backup of a %s store', (driver) => {
  it('is proven by restoring, and gives the same store in another place', async () => {
    const cli = new Cli();
    await fill(cli, driver);
    const folder = join(cli.folder, 'backup');
    const made = await cli.json<{ files: number; bytes: number; createdAt: number }>(['backup', 'backup', '--verify']);
    expect(made).toEqual({
      folder,
      driver,
      createdAt: expect.any(Number),
      files: expect.any(Number),
      bytes: expect.any(Number),
      verified: { conversations: 3, entries: 6, digest: expect.stringMatching(/^[0-9a-f]{64}$/), sessions: 0 },
    });
    expect((await readdir(cli.folder)).sort()).toEqual(['backup', 'home']);
    const home = join(cli.folder, 'restored');
    const { files, bytes, createdAt } = made;
    expect(await cli.json(['restore-backup', 'backup', '--home', 'restored'])).toEqual({
      home,
      folder,
      driver,
      createdAt,
      files,
      bytes,
    });
    expect(await contents(home)).toEqual(await contents(cli.home));
  });

  it('overwrites nothing, neither when it is made nor when it is restored', async () => {
    const cli = new Cli();
    await fill(cli, driver, 1);
    await mkdir(join(cli.folder, 'full'));
    await writeFile(join(cli.folder, 'full/precious'), 'x');
    expect(await cli.failure(['backup', 'full'])).toMatchObject({ code: 4, error: { code: 'backup-exists' } });
    await cli.run(['backup', 'good']);
    expect(await cli.failure(['restore-backup', 'good'])).toMatchObject({ code: 4, error: { code: 'home-not-empty' } });
    expect(await cli.failure(['restore-backup', 'nowhere', '--home', 'new'])).toMatchObject({
      code: 5,
      error: { code: 'backup-invalid' },
    });
  });
});

describe('backup', () => {
  it('of nothing is refused', async () => {
    const cli = new Cli();
    expect(await cli.failure(['backup', 'b'])).toMatchObject({
      code: 3,
      error: { code: 'store-not-found', details: { path: cli.home } },
    });
  });

  it('notices a backup that was changed', async () => {
    const cli = new Cli();
    await fill(cli, 'jsonl', 1);
    await cli.run(['backup', 'b']);
    const files = await readdir(join(cli.folder, 'b'), { recursive: true, withFileTypes: true });
    const victim = files.find((file) => file.isFile() && file.name !== 'backup.json' && file.name !== 'store.json');
    await writeFile(join(victim?.parentPath as string, victim?.name as string), 'changed');
    expect(await cli.failure(['restore-backup', 'b', '--home', 'new'])).toMatchObject({
      code: 5,
      error: { code: 'backup-invalid' },
    });
  });
});

describe('compress', () => {
  it('is refused where there is nothing to care for, and by a driver that cannot', async () => {
    const cli = new Cli();
    expect(await cli.failure(['compress'])).toMatchObject({ code: 3, error: { code: 'store-not-found' } });
    await fill(cli, 'jsonl', 1);
    expect(await cli.failure(['compress'])).toMatchObject({ code: 4, error: { code: 'not-supported' } });
  });

  it('packs old text that then reads the same', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    const said = Array.from({ length: 200 }, (_, i) => ({
      kind: 'message' as const,
      role: 'user' as const,
      text: `old words ${i} `.repeat(20),
      at: 1_000,
    }));
    await store.append(id, said);
    const before = await cli.json(['show', id]);
    const packed = await cli.json<{ bytesBefore: number; bytesAfter: number }>(['compress', '--older-than', '1d']);
    expect(packed).toEqual({
      before: expect.any(Number),
      entries: 200,
      bytesBefore: expect.any(Number),
      bytesAfter: expect.any(Number),
    });
    expect(packed.bytesAfter).toBeLessThan(packed.bytesBefore / 2);
    expect(await cli.json(['show', id])).toEqual(before);
    expect(await cli.failure(['compress', '--older-than', 'soon'])).toMatchObject({ code: 2, error: { code: 'usage' } });
  });
});

describe('doctor', () => {
  const healthy = ['program', 'home', 'settings', 'disk', 'permissions', 'record', 'store', 'writers', 'due', 'index'];

  it.each(drivers)('finds nothing wrong with a healthy %s store', async (driver) => {
    const cli = new Cli();
    await fill(cli, driver);
    const report = await cli.json<{ checks: { check: string; status: string }[] }>(['doctor']);
    expect(report).toEqual({
      home: cli.home,
      problems: 0,
      checks: healthy.map((check) => ({ check, status: 'ok', message: expect.stringMatching(/\S/) })),
    });
    expect((await cli.run(['doctor', '--lang', 'zh'])).stdout).toMatch(/^✓ 已读取 3 个对话、6 条内容，全部完好。$/m);
  });

  it('is at ease where nothing is stored yet', async () => {
    const cli = new Cli();
    const { code, stdout } = await cli.run(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain(`There is no home at ${cli.home} yet.\n  → The first message makes it: continuo append "…"\n`);
  });

  it('explains loose permissions and repairs them when told to', async () => {
    const cli = new Cli();
    await fill(cli);
    await chmod(cli.home, 0o755);
    await chmod(join(cli.home, 'store.json'), 0o644);
    const sick = await cli.run(['doctor']);
    expect(sick.code).toBe(1);
    expect(sick.stdout).toContain(
      `✗ Others on this machine can use 2 files and folders: ${cli.home}, ${join(cli.home, 'store.json')}\n  → Make them private with: continuo doctor --fix\n`,
    );
    expect(sick.stdout).toMatch(/\n1 problem remains\.\n$/);
    const { code, stdout } = await cli.run(['doctor', '--fix', '--json']);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { checks: object[] }).checks).toContainEqual({
      check: 'permissions',
      status: 'fixed',
      code: 'loose-permissions',
      message: '2 files and folders are private now.',
    });
    expect((await stat(cli.home)).mode & 0o777).toBe(0o700);
    expect((await cli.run(['doctor'])).code).toBe(0);
  });

  it('goes on after a mistake in the settings and a damaged record', async () => {
    const cli = new Cli();
    await fill(cli);
    await writeFile(join(cli.home, 'conversation.toml'), '[store]\nredcat = true\n', { mode: 0o600 });
    await writeFile(join(cli.home, 'store.json'), '{', { mode: 0o600 });
    const { code, stdout } = await cli.run(['doctor', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: { status: string; code?: string }[] };
    expect(code).toBe(1);
    expect(checks.filter(({ status }) => status === 'problem').map((check) => check.code)).toEqual([
      'config-invalid',
      'store-damaged',
    ]);
  });

  it.each(drivers)('names the damaged part of a %s store and says how to get it back', async (driver) => {
    const cli = new Cli();
    const [id = ''] = await fill(cli, driver, 1);
    await damage(cli);
    const { code, stdout } = await cli.run(['doctor', '--json']);
    const problems = (JSON.parse(stdout) as { checks: { status: string }[] }).checks.filter(({ status }) => status === 'problem');
    expect(code).toBe(1);
    const message = expect.stringMatching(new RegExp(`^${id}.*: something stored there was changed or damaged`));
    expect(problems).toEqual([
      { check: 'store', status: 'problem', code: 'damaged-record', message, next: expect.stringContaining('restore-backup') },
    ]);
  });

  it('is not the only one who notices: a command that meets damage goes on and warns', async () => {
    const cli = new Cli();
    const [id = ''] = await fill(cli, 'sqlite', 1);
    await damage(cli);
    const { code, stdout, stderr } = await cli.run(['show', id, '--lang', 'zh']);
    expect(code).toBe(0);
    expect(stdout).toContain('answer 0');
    expect(stderr).toBe(`${id}：其中的内容被改动或已损坏（第 1 条无法读取）。\n其余内容仍可读取。全面检查：continuo doctor\n`);
    const json = await cli.run(['show', id, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ entries: [{ text: 'answer 0' }] });
    expect(JSON.parse(json.stderr)).toMatchObject({ problem: { code: 'damaged-record', conversationId: id } });
  });

  it('tells who is writing', async () => {
    const cli = new Cli();
    const [id = ''] = await fill(cli);
    await using store = await cli.open();
    await store.acquireLease((await store.get(id)).id, { owner: 'the editor' });
    expect((await cli.run(['doctor'])).stdout).toMatch(
      new RegExp(`^· ${id} is being written by the editor \\(process ${process.pid} on `, 'm'),
    );
  });
});

describe('config', () => {
  it('shows every setting with its value and origin', async () => {
    const cli = new Cli({ CONTINUO_REDACT: 'off' });
    const file = join(cli.home, 'conversation.toml');
    expect((await cli.run(['config', 'path'])).stdout).toBe(`${file}\n`);
    expect(await cli.json(['config', 'set', 'trash.grace_days', '7'])).toEqual({ file, name: 'trash.grace_days', value: 7 });
    const byDefault = { from: 'default' };
    expect(await cli.json(['config', '--lang', 'en'])).toEqual({
      file,
      settings: [
        { name: 'store.driver', value: 'sqlite', origin: byDefault },
        { name: 'store.key_file', value: null, origin: byDefault },
        { name: 'store.redact', value: false, origin: { from: 'environment', variable: 'CONTINUO_REDACT' } },
        { name: 'trash.grace_days', value: 7, origin: { from: 'file', path: file, line: 4 } },
        { name: 'model.name', value: null, origin: byDefault },
        { name: 'model.base_url', value: null, origin: byDefault },
        { name: 'chat.instructions', value: null, origin: byDefault },
        { name: 'chat.max_items', value: 2000, origin: byDefault },
        { name: 'chat.max_tokens', value: 120_000, origin: byDefault },
        { name: 'approvals.mode', value: null, origin: byDefault },
        { name: 'approvals.allow', value: [], origin: byDefault },
        { name: 'approvals.deny', value: [], origin: byDefault },
        { name: 'exec.sandbox', value: 'auto', origin: byDefault },
        { name: 'exec.network', value: false, origin: byDefault },
        { name: 'exec.timeout_seconds', value: 120, origin: byDefault },
        { name: 'mcp.config', value: null, origin: byDefault },
        { name: 'recall.enabled', value: true, origin: byDefault },
        { name: 'recall.token_budget', value: 1500, origin: byDefault },
        { name: 'recall.private_projects', value: [], origin: byDefault },
        { name: 'projects.marker', value: true, origin: byDefault },
        { name: 'embedder.kind', value: null, origin: byDefault },
        { name: 'embedder.model', value: null, origin: byDefault },
        { name: 'embedder.base_url', value: null, origin: byDefault },
        { name: 'embedder.key_env', value: null, origin: byDefault },
        { name: 'embedder.dimension', value: null, origin: byDefault },
        { name: 'embedder.folder', value: null, origin: byDefault },
        { name: 'embedder.pooling', value: null, origin: byDefault },
        { name: 'embedder.query_prefix', value: null, origin: byDefault },
        { name: 'embedder.passage_prefix', value: null, origin: byDefault },
        { name: 'conversation.db_path', value: null, origin: byDefault },
        { name: 'conversation.auto_save_interval', value: 0, origin: byDefault },
        { name: 'conversation.max_conversations', value: 0, origin: byDefault },
        { name: 'conversation.auto_summary_threshold', value: 10, origin: byDefault },
        { name: 'conversation.summary.by', value: 'local', origin: byDefault },
        { name: 'conversation.semantic_search.embedding_dimension', value: null, origin: byDefault },
        { name: 'conversation.semantic_search.similarity_threshold', value: 0.7, origin: byDefault },
        { name: 'conversation.semantic_search.max_results', value: 5, origin: byDefault },
        { name: 'conversation.topics.auto_extract', value: true, origin: byDefault },
        { name: 'conversation.topics.max_topics', value: 5, origin: byDefault },
        { name: 'conversation.cleanup.enable', value: false, origin: byDefault },
        { name: 'conversation.cleanup.strategy', value: 'old', origin: byDefault },
        { name: 'conversation.cleanup.retention_days', value: 30, origin: byDefault },
        { name: 'conversation.cleanup.min_similarity', value: 0.3, origin: byDefault },
        { name: 'notify.bell', value: true, origin: byDefault },
        { name: 'notify.desktop', value: false, origin: byDefault },
        { name: 'notify.webhook', value: null, origin: byDefault },
        { name: 'notify.after_seconds', value: 30, origin: byDefault },
        { name: 'cli.language', value: 'en', origin: { from: 'flag', flag: '--lang' } },
        { name: 'cli.color', value: 'auto', origin: byDefault },
      ],
    });
    expect(await cli.json(['config', 'get', 'trash.grace_days'])).toEqual({
      name: 'trash.grace_days',
      value: 7,
      origin: { from: 'file', path: file, line: 4 },
    });
    expect((await cli.run(['config', 'get', 'trash.grace_days'])).stdout).toBe('7\n');
    expect(await cli.json(['config', 'unset', 'trash.grace_days'])).toEqual({ file, name: 'trash.grace_days', wasSet: true });
  });

  it('says where a change has no effect', async () => {
    const cli = new Cli({ CONTINUO_REDACT: 'off' });
    const { stderr } = await cli.run(['config', 'set', 'store.redact', 'true']);
    expect(stderr).toBe('store.redact is still decided elsewhere: environment, CONTINUO_REDACT.\n');
  });

  it('refuses mistakes with a suggestion, and a broken file with its line, in every command that reads it', async () => {
    const cli = new Cli();
    expect(await cli.failure(['config', 'set', 'store.redcat', 'true'])).toEqual({
      code: 2,
      error: {
        code: 'unknown-setting',
        message: expect.stringContaining('store.redcat'),
        details: { name: 'store.redcat', suggestion: 'store.redact' },
      },
    });
    expect(await cli.failure(['config', 'set', 'store.redact', 'perhaps'])).toMatchObject({
      code: 2,
      error: { code: 'invalid-input' },
    });
    expect(await cli.failure(['config', 'set', 'store.redact'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    await mkdir(cli.home, { mode: 0o700 });
    const file = join(cli.home, 'conversation.toml');
    await writeFile(file, '\n[trash]\ngrace_days = "soon"\n');
    const reason = 'trash.grace_days must be a whole number from 0 to 36500, not "soon"';
    expect(await cli.failure(['list'])).toEqual({
      code: 2,
      error: {
        code: 'config-invalid',
        message: `${file}, line 3: ${reason}`,
        details: { path: file, line: 3, reason, setting: 'trash.grace_days' },
      },
    });
    expect((await cli.run(['list', '--lang', 'zh'])).stderr).toBe(
      `错误：${file} 第 3 行：trash.grace_days 须为 0 到 36500 之间的整数，不能是 "soon"\n`,
    );
    expect((await cli.run(['config', 'set', 'store.redact', 'true'])).code).toBe(2);
    expect((await cli.run(['config', 'path'])).stdout).toBe(`${file}\n`);
    expect((await cli.run(['--help'])).code).toBe(0);
  });

  it('is obeyed: language, driver, redaction and grace', async () => {
    const cli = new Cli();
    for (const [name, value] of [
      ['cli.language', 'zh'],
      ['store.driver', 'jsonl'],
      ['store.redact', 'false'],
      ['trash.grace_days', '1'],
    ] as const) {
      expect((await cli.run(['config', 'set', name, value])).code).toBe(0);
    }
    const secret = 'password=Tr0ub4dor3xyz';
    expect((await cli.run(['append', secret])).stdout).toMatch(/^已保存到新对话 cnv_/);
    expect(await cli.json(['stats'])).toMatchObject({ driver: 'jsonl' });
    expect(await cli.json(['show', 'latest'])).toMatchObject({ entries: [{ text: secret }] });
    const { conversations } = await cli.json<{ conversations: { trashedAt: number; purgeAt: number }[] }>(['trash', 'latest']);
    expect(conversations.map(({ trashedAt, purgeAt }) => purgeAt - trashedAt)).toEqual([24 * 3_600_000]);
    expect(await cli.failure(['list'], { env: { CONTINUO_DRIVER: 'sqlite' } })).toMatchObject({
      code: 4,
      error: { code: 'driver-mismatch' },
    });
  });
});

describe.each(drivers)('encryption of a %s store', (driver) => {
  it('can be turned on and off; without the right key nothing is read', async () => {
    const cli = new Cli();
    const [id = ''] = await fill(cli, driver, 2);
    const before = await contents(cli.home);
    const passphrase = 'correct horse 电池';
    const env = { CONTINUO_PASSPHRASE: passphrase };
    const converted = { conversations: 2, entries: 4, sessions: 0, damagedSessions: [] };
    expect(await cli.failure(['encrypt'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.json(['encrypt'], { env })).toEqual({ home: cli.home, encrypted: true, ...converted });
    expect(await cli.failure(['show', id])).toMatchObject({ code: 4, error: { code: 'key-required' } });
    expect(await cli.failure(['show', id], { env: { CONTINUO_PASSPHRASE: 'wrong' } })).toMatchObject({
      code: 4,
      error: { code: 'wrong-key' },
    });
    expect(await cli.failure(['encrypt'], { env })).toMatchObject({ code: 4, error: { code: 'already-encrypted' } });
    expect(await contents(cli.home, { passphrase })).toEqual(before);
    expect(await cli.json(['backup', 'b', '--verify'], { env })).toMatchObject({ verified: { conversations: 2, entries: 4 } });
    expect(await cli.json(['stats'], { env })).toMatchObject({ encrypted: true });
    expect(await cli.json(['decrypt'], { env })).toEqual({ home: cli.home, encrypted: false, ...converted });
    expect(await contents(cli.home)).toEqual(before);
  });
});

describe('a key file', () => {
  it('is made private and never replaced, and opens the store from the flag or the settings', async () => {
    const cli = new Cli();
    await fill(cli, 'sqlite', 1);
    const { code, stderr } = await cli.run(['encrypt', '--new-key-file', 'my.key']);
    expect(code).toBe(0);
    const file = join(cli.folder, 'my.key');
    expect(stderr).toContain(`Keep ${file} safe`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await cli.json(['list', '--key-file', 'my.key'])).toMatchObject({ conversations: [{ title: 'Talk 0' }] });
    await cli.run(['config', 'set', 'store.key_file', 'my.key']);
    expect(await cli.json(['list'])).toMatchObject({ conversations: [{ title: 'Talk 0' }] });
    const other = new Cli();
    await fill(other, 'sqlite', 1);
    expect(await other.failure(['encrypt', '--new-key-file', file])).toMatchObject({ code: 2, error: { code: 'usage' } });
  });
});
