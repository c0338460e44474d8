import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseShell } from '../../exec/shell/parse-shell.ts';
import { errorMessages } from '../../model/error-codes.ts';
import { findSecretPlace } from '../../tools/builtin/secret-place.ts';
import { en } from './en.ts';
import { errorsZh } from './errors-zh.ts';
import { translateReason } from './reasons-zh.ts';
import { zh } from './zh.ts';

describe('the two languages', () => {
  it('put the same details into every error sentence', () => {
    expect(placesOf(errorsZh)).toEqual(placesOf(errorMessages));
  });

  it('say everything in both: every Chinese sentence has Chinese in it', () => {
    const left = [...sentencesOf(zh)].filter(
      ([name, text]) => !/\p{Script=Han}/u.test(text) && !languageFree.some((known) => name.endsWith(known)),
    );
    expect(left).toEqual([]);
  });

  it('speak no Chinese where English is spoken', () => {
    expect([...sentencesOf(en)].filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it('have the same examples, up to their words', () => {
    const commandsOf = (help: typeof en.help) =>
      Object.entries(help.commands).map(([name, { examples }]) => [
        name,
        examples.map(({ command }) => command.replace(/"[^"]*"|(?<=tag |--remove ).*/g, '…')),
      ]);
    expect(commandsOf(zh.help)).toEqual(commandsOf(en.help));
  });
});

describe('reasons from below in Chinese', () => {
  it.each([
    ['it is a symbolic link', '它是符号链接'],
    [
      'there is no setting "store.drvier"; did you mean "store.driver"?',
      '没有名为“store.drvier”的设置，是不是想写“store.driver”？',
    ],
    [
      'trash.grace_days must be a whole number from 0 to 36500, not "soon"',
      'trash.grace_days 须为 0 到 36500 之间的整数，不能是 "soon"',
    ],
    ['it has 3 bytes, and at least 32 random bytes are needed', '它只有 3 字节，至少需要 32 个随机字节'],
    ['something nobody foresaw', 'something nobody foresaw'],
  ])('%s', (english, chinese) => {
    expect(translateReason(english)).toBe(chinese);
  });
});

describe('reasons to ask for permission, in Chinese', () => {
  const samples = [
    ...[
      '',
      '; ls',
      '"" x',
      'A=1 ls',
      '~/x',
      '%1',
      'if true',
      'echo $HOME',
      'echo `ls`',
      'ls > x',
      'cat < x',
      'ls |& cat',
      '(ls)',
    ],
    ...[
      '{ ls; }',
      'echo a{b',
      '! ls',
      'ls # x',
      'ls &',
      "echo 'x",
      'echo a\\\nb',
      'echo \\',
      'ls\0',
      'ls\r',
      'ls \u202e',
      '\u00a0',
    ],
  ];

  it.each(samples)('say what a command has in it: %j', (command) => {
    const parsed = parseShell(command);
    const reason = translateReason(`it has ${'opaque' in parsed ? parsed.opaque : 'nothing odd'}`);
    expect(reason).toMatch(/^其中/);
    expect(reason.replace(/U\+[0-9A-F]+|NUL| if$| !$/g, '')).not.toMatch(/[A-Za-z]/);
  });

  it.each([
    ['no sandbox is available here', '这里没有可用的沙箱'],
    [findSecretPlace(['.env']) ?? '', '这类文件常含机密'],
    [findSecretPlace(['.git', 'config']) ?? '', '它在 .git 内部，改动可能会执行代码'],
    ['this is outside of the project', '它在项目之外'],
    ['it has a pattern that may stand for options', '其中的通配模式可能展开成选项'],
    ['there is no such file', '没有这个文件'],
  ])('%s', (english, chinese) => {
    expect(translateReason(english)).toBe(chinese);
  });
});

describe('reasons given below the command line', () => {
  it('all have their Chinese: src/cli/messages/reasons-zh.ts', () => {
    const source = fileURLToPath(new URL('../..', import.meta.url));
    // Put together of parts, or a slip of the program itself.
    const known = ['2 is 2', 'entry 2 2', 'a key of 2 bytes was given, not 32'];
    const untranslated = reasonsIn(source).filter((reason) => translateReason(reason) === reason && !known.includes(reason));
    expect(untranslated).toEqual([]);
  });
});

/** Every literal text after `reason:` or `detail:` in the rooms the command line calls; what is put in is "2". */
function reasonsIn(folder: string): string[] {
  const files = ['store', 'crypto', 'config', 'open-store.ts'].flatMap((room) => sourceFiles(join(folder, room)));
  const texts = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\b(?:reason|detail): (?:'([^'\n]+)'|`([^`\n]+)`)/g),
  ]);
  return [...new Set(texts.map(([, plain, template]) => plain ?? (template as string).replace(/\$\{[^}]*\}/g, '2')))];
}

function sourceFiles(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).map((name) => join(path, name));
}

/** Names, signs and symbols that are the same in every language. */
const languageFree = [
  '.command',
  '.usageRoot',
  '.pinnedMark',
  '.language',
  '.sentenceGap',
  '.between',
  '.headings.id',
  '.usage',
  '.markdown.id',
  '.versions',
  '.mcp-config-invalid',
];

function placesOf(templates: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(templates).map(([code, text]) => [code, [...new Set(text.match(/\{\w+\}/g))].sort()]));
}

/** Every text with its place; functions are called with samples. */
function* sentencesOf(value: unknown, name = ''): Generator<[string, string]> {
  if (/\.translate(?:Reason|Summary)$/.test(name)) return;
  if (typeof value === 'string') yield [name, value];
  else if (typeof value === 'function') yield* sentencesOf(value(...sampleArguments(value)), name);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* sentencesOf(inner, `${name}.${key}`);
  }
}

function sampleArguments(value: { length: number }): unknown[] {
  return Array.from({ length: value.length }, () => '2');
}
