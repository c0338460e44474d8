// What V8 made of the program is kept beside it and taken again; whatever is wrong with that, the program runs.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMiniProject, type MiniProject } from '../support/mini-project.ts';

let project: MiniProject;
let cache: string;

beforeAll(() => {
  project = createMiniProject({
    'src/base/answer.ts': 'export const answer = (): number => 42;\n',
    'src/base/package.ts':
      "if (process.argv.includes('chat')) void import('@modelcontextprotocol/sdk/types.js').then(({ ErrorCode }) => console.log(ErrorCode.ParseError));\n",
    'src/cli/main.ts':
      "import '../base/package.ts';\nvoid import('../base/answer.ts').then(({ answer }) => console.log(answer(), '你好', /^[你-我]好😀$/u.test('你好😀')));\n",
  });
  cache = path.join(project.folder, 'dist/cli/program.cache');
  project.node(['scripts/build.mjs']);
});

afterAll(() => project.remove());

const run = (args: string[], env: Record<string, string> = {}) => project.node(['dist/cli/main.js', ...args], { env });
const expected = { status: 0, stdout: '42 你好 true\n', stderr: '' };
const commandsKept = () => JSON.parse(readFileSync(cache, 'latin1').split('\n')[0] as string).commands;

describe('the launcher', () => {
  it('keeps what each command needs, once', () => {
    expect(run(['list'])).toEqual(expected);
    expect(commandsKept()).toEqual(['list']);
    expect(run(['--json', 'search', 'words'])).toEqual(expected);
    expect(commandsKept()).toEqual(['list', 'search']);
    const { ino } = statSync(cache);
    expect(run(['search'])).toEqual(expected);
    expect(statSync(cache).ino).toBe(ino);
  });

  it('takes again what was kept by a command that imports a package', () => {
    const answered = { ...expected, stdout: `${expected.stdout}-32700\n` };
    rmSync(cache);
    expect(run(['chat'])).toEqual(answered);
    const { ino } = statSync(cache);
    expect(run(['chat'])).toEqual(answered);
    expect(statSync(cache).ino).toBe(ino);
  });

  it.each([
    ['holds something else', () => Buffer.from('{}\nnothing')],
    ['is empty', () => Buffer.alloc(0)],
    ['is cut off', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    ['has a byte changed', (whole: Buffer) => whole.fill(0xff, whole.length - 500, whole.length - 490)],
    [
      'is of another build',
      (whole: Buffer) => Buffer.from(whole.toString('latin1').replace(/"owner":"\w/, '"owner":"x'), 'latin1'),
    ],
  ])('runs where what was kept %s, and keeps it anew', (_, change) => {
    writeFileSync(cache, change(readFileSync(cache)));
    expect(run(['show'])).toEqual(expected);
    expect(commandsKept()).toEqual(['show']);
  });

  it('keeps nothing that was made with other flags', () => {
    rmSync(cache);
    expect(run(['list'], { NODE_OPTIONS: '--no-warnings' })).toEqual(expected);
    expect(existsSync(cache)).toBe(false);
  });
});
