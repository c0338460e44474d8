// The README's first screen and examples, word for word, in both languages; and the examples about recall.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'continuo-readme-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  {
    file: 'README.md',
    locale: 'en_US.UTF-8',
    said: ['Set up navigation to the sofa', 'Done: the path is planned'],
    asked: ['How long is the way to the sofa?', 'Is the path to the sofa planned?'],
    team: ['is fine', 'Is the parser ready?', 'And the tests?'],
  },
  {
    file: 'README.zh-CN.md',
    locale: 'zh_CN.UTF-8',
    said: ['帮我设置导航到沙发', '好了：路径已规划'],
    asked: ['导航到沙发要多久？', '去沙发的路径规划好了吗？'],
    team: ['没有问题', '解析器可以发布了吗？', '测试呢？'],
  },
])('$file', { timeout: 300_000 }, ({ file, locale, said, asked, team }) => {
  const page = readFileSync(join(root, file), 'utf8');
  const environment = () => ({ ...process.env, CONTINUO_HOME: join(folder, 'home'), LC_ALL: locale, LANG: locale });

  it('starts a newcomer off with commands that work', () => {
    const commands = (blocks(page, 'sh')[0] as string).trim().split('\n');
    const options = { cwd: root, env: environment(), encoding: 'utf8' } as const;
    const outputs = [...commands, commands[3] as string].map((command) => execFileSync('sh', ['-c', command], options));
    expect(commands.length).toBe(6);
    expect(outputs[2]).toContain(said[0]);
    for (const text of said) expect(outputs[3]).toContain(text);
    // A new conversation quotes the earlier one, and goes on when it is resumed.
    for (const answer of [outputs[4], outputs[5]]) expect(answer).toContain(said[0]);
    expect(outputs[4]).toContain(said[1]);
    for (const text of asked) expect(outputs[6]).toContain(text);
  });

  it('shows what is stored, and asks nothing, where npm start alone has no terminal', () => {
    const shown = execFileSync('npm', ['start'], { cwd: root, env: environment(), encoding: 'utf8' });
    expect(shown).toContain('continuo chat');
  });

  it('seats a team that needs no network', () => {
    const commands = (blocks(page, 'sh').find((block) => block.includes('team init')) as string).trim().split('\n');
    const run = `continuo() { node '${root}scripts/start.mjs' "$@"; }`;
    const options = { cwd: folder, env: environment(), encoding: 'utf8' as const, stdio: 'pipe' as const };
    const outputs = commands.map((command) => execFileSync('sh', ['-c', `${run}; ${command}`], options));
    const [fine, first, second] = team as [string, string, string];
    expect(commands.length).toBe(6);
    expect(outputs[1]).toContain(fine);
    expect([commands[2], outputs[2]]).toEqual([
      expect.stringContaining(first),
      expect.stringMatching(/Cora[\s\S]*Dara[\s\S]*Wim/),
    ]);
    expect(commands[3]).toContain(second);
    // One session: eight messages, of which the person's two.
    expect(outputs[4]).toMatch(new RegExp(`^.*\\nses_\\w+ .* 8 +${first.replace('?', '\\?')}\\n$`));
    expect(outputs[5]).toMatch(/code-review .*team\.json/);
  });

  it('links only what is there', () => {
    const links = [...page.matchAll(/\]\(((?!https?:)[^)#]+)[^)]*\)/g)].map((match) => match[1] as string);
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
    for (const wanted of ['docs/repl.md', 'docs/team.md', 'docs/code-agent.md']) expect(links).toContain(wanted);
  });

  it('has examples in code that run', () => {
    const outputs = runExamples(blocks(page, 'ts'));
    expect(outputs).toEqual(['1 message\n', expect.stringContaining(`\n${said[0]}\n`), '']);
  });
});

describe('docs/recall.md', { timeout: 120_000 }, () => {
  it('has examples in code that run', () => {
    const page = readFileSync(join(root, 'docs/recall.md'), 'utf8');
    expect(runExamples(blocks(page, 'ts').slice(0, 2))).toEqual([
      'robot Set up navigation to the sofa\n',
      'path:/home/me/robot\nkept: true, 256 dimensions\n',
    ]);
  });
});

function runExamples(examples: string[]): string[] {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/continuo'));
  return examples.map((code, number) => {
    const program = join(folder, `example-${number}.mjs`);
    writeFileSync(program, code);
    return execFileSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
  });
}

function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] as string);
}
