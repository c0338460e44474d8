// parseShell against the real shells: whatever it claims to understand, bash and dash run exactly that. Commands are not found, so
// each call lands in a recorder; every command succeeds in one run and fails in the other, so that && and || are both followed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../../test/support/campaign.ts';
import { needs } from '../../../test/support/require-system.ts';
import { createQuickFolder } from '../../../test/support/temporary-folder.ts';
import { parseShell } from './parse-shell.ts';

/** What chance would seldom put together. */
const constructs = [
  ' {a,b}',
  ' {1..3}',
  'a{b,}',
  ' $(a)',
  '`a`',
  ' <(a)',
  ' >(a)',
  " $'a\\nb'",
  ' $"a"',
  ' ((1))',
  ' >a',
  ' 2>&1',
  ' <<a\na\n',
  ' <<<a',
  ' "a\\b"',
  ' "\\""',
  ' "\\\\"',
  ' "a\\\nb"',
  ' \\\na',
  " 'a'\\''b'",
  ' "a"\'b\'a',
  ' ""',
  '\\ ',
  ' a\\;b',
  ' "a;b&&a|b"',
  " '#'",
  ' a#b',
  ' & ',
  ' |& ',
  ' ;; ',
  ' a() b',
  ' ! a',
  '\n!a',
  ' a=b ',
  ' a=(b)',
  ' a+=b',
  ' ~ ',
  ' a=~ ',
  ' a:~',
  ' *a',
  ' [a]',
  ' "*"',
  ' \\*',
];

/** Every character and word that means something to a shell, but no name of a command that exists and no way out of the folder. */
const nasty = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('a', 'b', ' ', ' ', 'a b', '"', "'", '\\', '\n', ';', '&&', '||', '|') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('$', '`', '<', '>', '(', ')', '{', '}', '&', '#', '!', '=', '~', '*', '?', '[', ']'),
    },
    { weight: 2, arbitrary: fc.constantFrom('\t', '-', '+', ',', ':', '@', '%', '^', '1', 'é', '中', '😀', '""', "''", '\\\\') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\r', '\0', '\u00a0', '\u0085', '\v', '\u3000', '\u2028', '\ufeff', '\x7f', '\u200b'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('if', 'then', 'fi', 'time ', 'do', '[[', ']]', '2>', '|&', ';;', '$(', '${', '\\\n', 'a='),
    },
    { weight: 2, arbitrary: fc.constantFrom(...constructs) },
  ),
  { maxLength: 16 },
);
const texts = nasty.map((parts) => parts.join(''));
/** Simple commands that are always understood, so that the agreement is not about refusals alone. */
const plainCommand = fc
  .tuple(
    fc.constantFrom('a', 'b', 'a b'),
    fc.array(fc.constantFrom('a', "'a b'", '"a b"', 'a\\ b', '-x', '中', "''", '"a"b'), { maxLength: 4 }),
  )
  .map(([first, rest]) => [first, ...rest].join(' '));
const plainTexts = fc
  .array(fc.tuple(plainCommand, fc.constantFrom(' && ', ' || ', ' ; ', ' | ', '\n')), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([command, joint], index) => command + (index < parts.length - 1 ? joint : '')).join(''));
/** Texts near the border: quotes and backslashes that may or may not close. */
const tameTexts = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'a',
      ' ',
      ' ',
      ' ',
      "'a b'",
      '"a b"',
      '\\',
      '\n',
      ' ; ',
      ' && ',
      ' || ',
      ' | ',
      '=',
      '*',
      '~',
      '"',
      "'",
      '#',
    ),
    {
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(''));

describe.runIf(needs(existsSync('/bin/bash'), 'bash'))('what parseShell understands', () => {
  it('is what bash runs, for nasty texts', () => {
    const folder = createQuickFolder('shell');
    let understood = 0;
    const check = (text: string) => {
      const parsed = parseShell(text);
      if ('opaque' in parsed) return;
      understood++;
      expectSameCalls(parsed.commands, (status) => runInBash(text, status, folder));
    };
    fc.assert(fc.property(fc.oneof(texts, tameTexts, plainTexts), check), { numRuns: scaled(400) });
    expect(understood).toBeGreaterThan(scaled(400) / 8);
  });
});

describe.runIf(needs(existsSync('/bin/dash'), 'dash'))('what parseShell understands', () => {
  it('is what dash runs too', () => {
    const folder = createQuickFolder('shell');
    fc.assert(
      fc.property(tameTexts, (text) => {
        const parsed = parseShell(text);
        if ('opaque' in parsed || parsed.commands.some(([name]) => !recorded.includes(name as string))) return;
        expectSameCalls(parsed.commands, (status) => runInDash(text, status, folder));
      }),
      { numRuns: scaled(150) },
    );
  });
});

function expectSameCalls(commands: string[][], run: (status: 0 | 1) => string[][]): void {
  const [succeeding, failing] = [run(0), run(1)];
  const expected = tally(commands);
  for (const calls of [succeeding, failing]) {
    for (const [call, count] of tally(calls)) expect([call, count]).toEqual([call, Math.min(count, expected.get(call) ?? 0)]);
  }
  // A command after && runs where all succeed, one after || where all fail, the others both times.
  const both = tally([...succeeding, ...failing]);
  for (const [call, count] of expected) expect([call, Math.min(count, both.get(call) ?? 0)]).toEqual([call, count]);
}

function tally(calls: string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const call of calls.map((words) => JSON.stringify(words))) counts.set(call, (counts.get(call) ?? 0) + 1);
  return counts;
}

/** A home of `~` makes a tilde stand for itself. */
const environment = { HOME: '~', LC_ALL: 'C.UTF-8', PATH: '/nowhere' };

function runInBash(text: string, status: 0 | 1, folder: string): string[][] {
  const record = `printf '%s\\0' "$#" "$@" >> ${folder}/calls; return ${status}`;
  // Built-in names the alphabet can make; everything else is not found.
  const prologue = `command_not_found_handle() { ${record}; }; function : { command_not_found_handle : "$@"; }
function [ { command_not_found_handle [ "$@"; }\n`;
  return runShell('/bin/bash', ['--norc', '--noprofile', '-c', 'eval "$1"', 'bash', `${prologue}${text}`], folder);
}

const recorded = ['a', 'b', 'aa', 'ab', 'ba', 'bb', 'a b', 'aba'];

function runInDash(text: string, status: 0 | 1, folder: string): string[][] {
  const programs = join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  for (const name of recorded) {
    const record = `printf '%s\\0' "$(($#+1))" '${name}' "$@" >> ${folder}/calls; exit ${status}`;
    writeFileSync(join(programs, name), `#!/bin/dash\n${record}\n`, { mode: 0o755 });
  }
  return runShell('/bin/dash', ['-c', text], folder, programs);
}

function runShell(shell: string, args: string[], folder: string, path = '/nowhere'): string[][] {
  const empty = join(folder, 'empty');
  rmSync(empty, { recursive: true, force: true });
  mkdirSync(empty, { recursive: true });
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const { stderr, error } = spawnSync(shell, args, {
    cwd: empty,
    env: { ...environment, PATH: path },
    encoding: 'utf8',
    timeout: 10_000,
  });
  expect({ stderr, error, made: readdirSync(empty) }).toEqual({ stderr: '', error: undefined, made: [] });
  const words = readFileSync(calls, 'utf8').split('\0').slice(0, -1);
  rmSync(calls);
  const found: string[][] = [];
  for (let at = 0; at < words.length; ) {
    const count = Number(words[at]);
    found.push(words.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return found;
}
