// The README's first screen and examples, word for word, in both languages; and the examples about recall.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  { file: 'README.md', locale: 'en_US.UTF-8', said: ['Set up navigation to the sofa', 'Done: the path is planned'] },
  { file: 'README.zh-CN.md', locale: 'zh_CN.UTF-8', said: ['帮我设置导航到沙发', '好了：路径已规划'] },
])('$file', { timeout: 120_000 }, ({ file, locale, said }) => {
  const page = readFileSync(join(root, file), 'utf8');

  it('starts a newcomer off with commands that work', () => {
    const commands = (blocks(page, 'sh')[0] as string).trim().split('\n');
    const env = { ...process.env, CONTINUO_HOME: join(folder, 'home'), LC_ALL: locale, LANG: locale };
    const outputs = commands.map((command) => execFileSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8' }));
    expect(commands.length).toBe(4);
    expect(outputs[2]).toContain(said[0]);
    for (const text of said) expect(outputs[3]).toContain(text);
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
