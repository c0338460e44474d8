import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import { parseShell } from './parse-shell.ts';

describe('a text is read as its commands', () => {
  it.each<[string, string[][]]>([
    ['git status', [['git', 'status']]],
    ['  git \t status  ', [['git', 'status']]],
    [
      'git add -A && git commit -m "two words" || echo no; ls | wc -l',
      [['git', 'add', '-A'], ['git', 'commit', '-m', 'two words'], ['echo', 'no'], ['ls'], ['wc', '-l']],
    ],
    ['\n\na\n\nb;\nc\n', [['a'], ['b'], ['c']]],
    ['a &&\n\n b |\nc', [['a'], ['b'], ['c']]],
    [`say 'it is $HOME' "a \\"b\\" \\\\ \\n" c\\ d e"f"'g'`, [['say', 'it is $HOME', 'a "b" \\ \\n', 'c d', 'efg']]],
    [`'git' st"at"us ''`, [['git', 'status', '']]],
    ["echo 'two\nlines'", [['echo', 'two\nlines']]],
    ['grep -r a=b --x=y a#b', [['grep', '-r', 'a=b', '--x=y', 'a#b']]],
    ['A"="b', [['A=b']]],
    ['cat 中文.txt "é"', [['cat', '中文.txt', 'é']]],
    ['echo if then', [['echo', 'if', 'then']]],
    ['echo \'*\' \\~ "?"', [['echo', '*', '~', '?']]],
  ])('%j', (text, commands) => {
    expect(parseShell(text)).toEqual({ commands, expands: false });
  });

  it('and says where the shell may put other words for an argument', () => {
    expect(parseShell('ls *.ts')).toEqual({ commands: [['ls', '*.ts']], expands: true });
    expect(parseShell('ls a && ls ~/b')).toEqual({
      commands: [
        ['ls', 'a'],
        ['ls', '~/b'],
      ],
      expands: true,
    });
  });
});

describe('a text is opaque for', () => {
  it.each<[string, string]>([
    ['', 'no command'],
    [' \n ', 'no command'],
    ['echo $HOME', 'an expansion ($)'],
    ['echo "$HOME"', 'an expansion ($)'],
    ['git status $(rm -rf x)', 'an expansion ($)'],
    ["echo $'a'", 'an expansion ($)'],
    ['echo $"a"', 'an expansion ($)'],
    ['git status `rm x`', 'a command substitution (`)'],
    ['echo "`rm x`"', 'a command substitution (`)'],
    ['git status > x', 'a redirection (>)'],
    ['git status 2>&1', 'a redirection (>)'],
    ['cat < x', 'a redirection (<)'],
    ['cat << x\nx', 'a redirection (<)'],
    ['cat <(ls)', 'a redirection (<)'],
    ['a |& b', 'a redirection (|&)'],
    ['a &> b', 'a command in the background (&)'],
    ['git status & rm x', 'a command in the background (&)'],
    ['(rm x)', 'a parenthesis'],
    ['f() rm', 'a parenthesis'],
    ['{ rm x; }', 'a brace'],
    ['echo {a,b}', 'a brace'],
    ['A=b git status', 'an assignment'],
    ['PATH+=:. git status', 'an assignment'],
    ['a[1]=b', 'an assignment'],
    ['if true; then rm x; fi', 'the reserved word if'],
    ['a; while b', 'the reserved word while'],
    ['function f', 'the reserved word function'],
    ['time rm x', 'the reserved word time'],
    ['coproc rm x', 'the reserved word coproc'],
    ['[[ a ]]', 'a tilde or a pattern in the command word'],
    ['[ a ]', 'a tilde or a pattern in the command word'],
    ['! rm x', 'an exclamation mark'],
    ['rm !!', 'an exclamation mark'],
    ['echo "!x"', 'an exclamation mark'],
    ['echo "\\!x"', 'an exclamation mark'],
    ['ls # rm', 'a comment'],
    ['ls\n#rm', 'a comment'],
    ['~/bin/x', 'a tilde or a pattern in the command word'],
    ['/bin/r? x', 'a tilde or a pattern in the command word'],
    ['git "status', 'a quote without its end'],
    ["git 'status", 'a quote without its end'],
    ['git "status\\', 'a quote without its end'],
    ['git status\\', 'a backslash at the end'],
    ['git \\\nstatus', 'a line continuation'],
    ['git "a\\\nb"', 'a line continuation'],
    ['git\0status', 'a NUL character'],
    ['git status\rrm x', 'a carriage return'],
    ['git\u001b[2Kstatus', 'an invisible character (U+001B)'],
    ['git\u00a0status', 'an invisible character (U+00A0)'],
    ['git\u3000status', 'an invisible character (U+3000)'],
    ['git "\u202e"', 'an invisible character (U+202E)'],
    ['git \ud800', 'an invisible character (U+D800)'],
    ['git\u2028status', 'an invisible character (U+2028)'],
    ['git\vstatus', 'an invisible character (U+000B)'],
    ["'' git", 'an empty command word'],
    ['""', 'an empty command word'],
    ['; ls', 'an empty command'],
    ['ls ;; rm', 'an empty command'],
    ['ls\n; rm', 'an empty command'],
    ['ls &&', 'an empty command'],
    ['ls |\n', 'an empty command'],
    ['ls && && rm', 'an empty command'],
    ['| rm', 'an empty command'],
    ['%1', 'a job'],
  ])('%j: %s', (text, opaque) => {
    expect(parseShell(text)).toEqual({ opaque });
  });
});

it('reading takes time in proportion to the length', () => {
  const text = `${'a "b\\"c" \'d\' e\\ f && '.repeat(50_000)}g`;
  const taken = processorTime(() => {
    const parsed = parseShell(text);
    expect('commands' in parsed && parsed.commands.length).toBe(50_001);
  });
  expect(taken).toBeLessThan(2_000);
});
