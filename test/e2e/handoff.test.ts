// continuo handoff and export: a conversation as a session of another agent, and as files for programs and people.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSnapshot } from '../../src/snapshot/snapshot-text.ts';
import { transcriptFormats } from '../../src/transcripts/transcripts.ts';
import { entriesOf, furnish, type ImportJson, listAll, wordsOf } from './agent-homes.ts';
import { Cli } from './cli-program.ts';
import { canBeHeld, runHeld } from './held-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

const key = 'import:claude-code:18e5663c-2006-4faf-b6e6-d7e2b525e22d';

interface HandoffJson {
  agent: string;
  id: string;
  files: string[];
  entries: number;
  lost: Record<string, number>;
  resume: { command: string; args: string[]; cwd?: string; line: string };
}

async function importedClaude(): Promise<Cli> {
  const cli = new Cli();
  furnish(cli, 'claude');
  await cli.run(['import']);
  return cli;
}

const resuming = transcriptFormats.filter(({ write, resumeCommand }) => write && resumeCommand).map(({ name }) => name);

describe('continuo handoff', () => {
  it('writes nothing where a policy kept none of the words', async () => {
    const cli = new Cli();
    await cli.run(['append', '--policy', 'headers-only', 'Words nobody keeps']);
    const { code, stderr } = await cli.run(['handoff', 'latest', '--to', 'codex', '--yes']);
    expect(code).toBe(4);
    expect(stderr).toContain('cannot be opened in another program: nothing that was said in it is stored.');
    expect(existsSync(join(cli.folder, '.codex'))).toBe(false);
    expect((await cli.run(['handoff', 'latest', '--to', 'pi', '--yes', '--lang', 'zh'])).stderr).toContain(
      '其中说过的话都没有保存',
    );
  });

  it.runIf(canBeHeld)('says where it may not write, and so does an export', async () => {
    const cli = new Cli();
    await cli.run(['append', 'Words for another agent']);
    const closed = join(cli.folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o000);
    for (const agent of resuming) {
      const { code, stderr } = await runHeld(cli, ['handoff', 'latest', '--to', agent, '--root', join(closed, agent), '--yes']);
      expect([agent, code, stderr]).toEqual([agent, 5, expect.stringContaining('No permission for')]);
    }
    for (const more of [[], ['--force'], ['--to', 'codex']]) {
      const { code, stderr } = await runHeld(cli, ['export', 'latest', '-o', join(closed, 'x.json'), ...more, '--json']);
      expect([more, code, JSON.parse(stderr)]).toMatchObject([more, 5, { error: { code: 'permission-denied' } }]);
    }
    chmodSync(closed, 0o700);
    writeFileSync(join(closed, 'file'), '');
    const inFile = join(closed, 'file', 'below');
    const answer = await cli.run(['handoff', 'latest', '--to', 'pi', '--root', inFile, '--yes', '--lang', 'zh']);
    expect([answer.code, answer.stderr]).toEqual([5, expect.stringContaining('它所在的文件夹其实是一个文件')]);
  });

  it.each(resuming)(
    'to %s: what it writes says the same when it is imported elsewhere, and is not doubled here',
    async (agent) => {
      const cli = await importedClaude();
      const written = await cli.json<HandoffJson>(['handoff', key, '--to', agent, '--yes', '--quiet']);
      expect(written).toMatchObject({ agent, files: [expect.stringContaining(cli.folder)] });
      expect(statSync(written.files[0] as string).mode & 0o777).toBe(0o600);
      const said = wordsOf(await entriesOf(cli, key));
      expect(await cli.json<ImportJson>(['import', agent])).toMatchObject({
        sources: { created: 0, grown: 0, failed: 0 },
        entries: 0,
        broken: [],
      });
      const elsewhere = ['--home', join(cli.folder, 'another-home')];
      expect(await cli.json<ImportJson>(['import', agent, ...elsewhere])).toMatchObject({ sources: { failed: 0 }, broken: [] });
      const [fresh] = (await listAll(cli, ...elsewhere)).filter((each) => each.key === `import:${agent}:${written.id}`);
      expect(fresh).toMatchObject({ agent });
      expect(wordsOf(await entriesOf(cli, fresh?.id ?? '', ...elsewhere))).toEqual(said);
    },
  );

  it('brings in what the other agent said since, as a branch that shares the rest', async () => {
    const cli = await importedClaude();
    const { id, files } = await cli.json<HandoffJson>(['handoff', key, '--to', 'claude-code', '--yes', '--quiet']);
    const [file = ''] = files;
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const last = JSON.parse(lines.findLast((line) => JSON.parse(line).type === 'user') as string);
    const more = {
      ...last,
      uuid: '7c1f0d4e-0000-4000-8000-000000000001',
      parentUuid: last.uuid,
      message: { role: 'user', content: 'And in Chinese 也要' },
    };
    appendFileSync(file, `${JSON.stringify(more)}\n`);
    expect(await cli.json<ImportJson>(['import', 'claude-code'])).toMatchObject({ sources: { created: 1 }, entries: 1 });
    const branch = (await listAll(cli)).find((each) => each.key === `import:claude-code:${id}`);
    const [origin] = (await listAll(cli)).filter((each) => each.key === key);
    expect(branch).toMatchObject({ forkedFrom: { id: origin?.id } });
    const said = wordsOf(await entriesOf(cli, key));
    expect(wordsOf(await entriesOf(cli, branch?.id ?? ''))).toEqual([...said, 'user: And in Chinese 也要']);
    expect(await cli.json<ImportJson>(['import', 'claude-code'])).toMatchObject({ entries: 0 });
  });

  it('prints the command that goes on with it, the change of folder quoted, and what is lost', async () => {
    const cli = new Cli();
    const folder = join(cli.folder, "it's a project");
    mkdirSync(folder);
    const store = await cli.open();
    const place = { path: folder, name: 'x', rootCommits: [], remotes: [] };
    const { id } = await store.create({ title: 'Rounding', project: `path:${folder}`, meta: { place } });
    await store.append(id, [
      { kind: 'message', role: 'user', text: 'How is it rounded?' },
      { kind: 'thinking', text: 'Hm.' },
      { kind: 'message', role: 'assistant', text: 'Half up.' },
      { kind: 'label', name: 'mark', text: 'here' },
    ]);
    await store.close();
    const { stdout, stderr, code } = await cli.run(['handoff', id, '--to', 'codex', '--yes']);
    expect(code).toBe(0);
    const [, session = ''] = /codex resume ([0-9a-f-]{36})/.exec(stdout) ?? [];
    expect(stdout).toMatch(/^2 entries written as a session of Codex: ~\/\.codex\/sessions\//);
    expect(stdout).toContain('Not carried over: thinking (1), labels (1).');
    expect(stdout).toContain(`Go on with it there:\n  cd '${folder.replace("'", "'\\''")}' && codex resume ${session}\n`);
    expect(stderr).toContain('Codex was not found here: there is no program codex in the PATH.');
    // The line is one a shell understands.
    const line = stdout.trim().split('\n').at(-1)?.trim() ?? '';
    const bin = join(cli.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'codex'), '#!/bin/sh\necho "$(pwd) $*"\n', { mode: 0o755 });
    const env = cli.environment({ PATH: `${bin}:${process.env.PATH}` });
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8', env })).toBe(`${folder} resume ${session}\n`);
    const zh = await cli.run(['handoff', id, '--to', 'codex', '--yes', '--lang', 'zh']);
    expect(zh.stdout).toContain('无法带过去的内容：思考 (1)、标签 (1)。\n在那里继续：');
  });

  it('writes to another place where that is wanted, and nowhere without a yes', async () => {
    const cli = await importedClaude();
    const root = join(cli.folder, 'elsewhere');
    expect(await cli.failure(['handoff', key, '--to', 'codex', '--root', root])).toMatchObject({
      code: 4,
      error: { code: 'not-confirmed' },
    });
    expect(existsSync(root)).toBe(false);
    const { files } = await cli.json<HandoffJson>(['handoff', key, '--to', 'codex', '--root', root, '--yes', '--quiet']);
    expect(files[0]?.startsWith(root)).toBe(true);
    expect(existsSync(join(cli.folder, '.codex'))).toBe(false);
    const told = async (agent: string, ...more: string[]) =>
      (await cli.run(['handoff', key, '--to', agent, '--root', root, '--yes', ...more])).stderr;
    expect(await told('claude-code')).toContain(`it finds this one when it is told to keep them in ${root}.`);
    expect(await told('codex', '--lang', 'zh')).toContain(`让它把会话保存在 ${root}`);
    expect(await told('pi')).not.toContain('it finds this one');
    expect(await cli.failure(['handoff', key, '--to', 'nobody', '--yes'])).toMatchObject({ code: 2, error: { code: 'usage' } });
    expect(await cli.failure(['handoff', 'nothing', '--to', 'codex', '--yes'])).toMatchObject({ code: 3 });
    expect(await cli.failure(['handoff', key, '--to', 'codex', '--yes', '--run'])).toMatchObject({
      code: 2,
      error: { message: expect.stringContaining('Without it the session is written') },
    });
  });

  it.skipIf(!hasTmux)(
    'asks at a terminal, and starts the agent there where that is wanted',
    async () => {
      const cli = await importedClaude();
      const bin = join(cli.folder, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'codex'), '#!/bin/sh\necho "codex runs: $*"; read line; echo "heard $line"; exit 9\n', {
        mode: 0o755,
      });
      const env = { PATH: `${bin}:${process.env.PATH}` };
      using no = await TerminalScreen.open(cli, ['handoff', key, '--to', 'codex'], { env });
      await no.shows(/as a session of Codex into .*\? \[y\/N\]/s);
      no.say('n');
      await no.shows(/Nothing was written.*ended with 4/s);
      expect(existsSync(join(cli.folder, '.codex'))).toBe(false);
      using yes = await TerminalScreen.open(cli, ['handoff', key, '--to', 'codex', '--run'], { env });
      await yes.shows(/\[y\/N\]/);
      yes.say('y');
      await yes.shows(/codex runs: resume [0-9a-f-]{36}/);
      yes.say('hello');
      await yes.shows(/heard hello\s+ended with 9/s);
    },
    60_000,
  );
});

describe('continuo export', () => {
  it('writes a page that runs and loads nothing, whatever was said', async () => {
    const cli = new Cli();
    const store = await cli.open();
    const evil = '<script>alert(1)</script><img src=x onerror=alert(2)> "quoted" \u202e & </div></style>';
    const { id } = await store.create({ title: evil, agent: evil, tags: ['<b>'] });
    await store.append(id, [
      { kind: 'message', role: 'user', text: `${evil}\n\`\`\`html\n${evil}\n\`\`\`\nthen \u0007 words`, author: { name: evil } },
      { kind: 'tool-call', callId: 'c', tool: evil, input: { evil } },
      { kind: 'tool-result', callId: 'c', tool: evil, text: evil, failed: true },
      { kind: 'thinking', text: evil },
      { kind: 'label', name: evil, text: evil },
      { kind: 'message', role: 'assistant', text: '好的，我先检查数据库。', model: evil },
    ]);
    await store.close();
    const file = join(cli.folder, 'talk.html');
    await cli.run(['export', id, '-o', file]);
    const page = readFileSync(file, 'utf8');
    expect(page).toMatch(/<html lang="en">/);
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-`);
    expect(page).toContain('<pre>&#60;script&#62;alert(1)');
    expect(page).toContain('好的，我先检查数据库。');
    const tags = new Set([...page.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, name]) => name));
    const known = 'html head meta title style body h1 dl dt dd article header div pre details summary footer'.split(' ');
    expect([...tags].filter((name) => !known.includes(name as string))).toEqual(['!doctype']);
    const attributes = [...page.replace(/<style>[\s\S]*?<\/style>/, '').matchAll(/<[a-z][^>]*>/g)].join(' ');
    expect(attributes).not.toMatch(/\bon\w+=|\bsrc=|\bhref=|javascript:/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(page).not.toMatch(/[\u0000-\u0008\u202e]/);
    const zh = await cli.run(['export', id, '--to', 'html', '--lang', 'zh']);
    expect(zh.stdout).toContain('<html lang="zh-CN">');
    expect(zh.stdout).toContain('由 Continuo 导出于');
  });

  it('gives messages as OpenAI knows them, and a snapshot a team could be resumed from', async () => {
    const cli = await importedClaude();
    const { messages } = JSON.parse((await cli.run(['export', key, '--to', 'openai'])).stdout) as {
      messages: { role: string }[];
    };
    expect(messages.slice(0, 3).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    const kinds = (await entriesOf(cli, key)).map(({ kind }) => kind);
    const carried = kinds.filter((kind) => ['message', 'tool-call', 'tool-result'].includes(kind)).length;
    const done = await cli.run(['export', key, '--to', 'openai', '-o', join(cli.folder, 'x.json'), '--json', '--quiet']);
    const thinking = kinds.filter((kind) => kind === 'thinking').length;
    expect(JSON.parse(done.stdout)).toMatchObject({ entries: carried, lost: thinking > 0 ? { thinking } : {} });
    const text = (await cli.run(['export', key, '--to', 'snapshot'])).stdout;
    const fail = (reason: string) => new Error(reason) as never;
    const { snapshot } = parseSnapshot(text, { path: 'x', sealer: undefined, fail, keyRequired: () => fail('key') });
    expect(snapshot).toMatchObject({ schemaVersion: '1.0', teamId: 'claude-code', metadata: { log: { seq: 8 } } });
    const said = snapshot.context.messages.map(({ content }) => content);
    expect(said).toEqual(wordsOf(await entriesOf(cli, key)).map((line) => line.replace(/^\w+: /, '')));
  });

  it.each(['claude-code', 'codex', 'gemini', 'qwen', 'pi'])(
    'writes a session file of %s, and never in place of another',
    async (agent) => {
      const cli = await importedClaude();
      const file = join(cli.folder, 'out', 'session.jsonl');
      mkdirSync(join(cli.folder, 'out'));
      const done = await cli.json<{ format: string; lost: object }>(['export', key, '--to', agent, '-o', file]);
      expect(done).toMatchObject({ format: agent, file, lost: expect.any(Object) });
      expect(readdirSync(join(cli.folder, 'out'))).toEqual(['session.jsonl']);
      const { stdout, code } = await cli.run(['export', key, '--to', agent]);
      expect(code).toBe(0);
      expect(stdout.split('\n').length).toBe(readFileSync(file, 'utf8').split('\n').length);
      expect(await cli.failure(['export', key, '--to', agent, '-o', file])).toMatchObject({ error: { code: 'file-exists' } });
      expect(await cli.json<ImportJson>(['import', file])).toMatchObject({ sources: { created: 1, failed: 0 } });
    },
  );
});
