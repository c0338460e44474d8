import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApprovalRules, allows, forbids, parseRule } from './approval-rule.ts';

describe('the text of a rule', () => {
  it.each([
    ['git status', ['git', 'status']],
    ['  npm   run "build all" ', ['npm', 'run', 'build all']],
    ['mcp github create_issue', ['mcp', 'github', 'create_issue']],
    ['write_file src', ['write_file', 'src']],
    ['write_file src/lib/', ['write_file', 'src', 'lib']],
    ['write_file ./src', ['write_file', 'src']],
    ['write_file .', ['write_file']],
    ['read_file /etc', ['read_file', 'etc']],
    ['cat src/a.ts', ['cat', 'src/a.ts']],
  ])('%s stands for these words', (text, words) => {
    expect(parseRule(text)).toEqual(words);
  });

  it.each([
    '',
    '   ',
    'git status; ls',
    'git status && ls',
    'ls | sh',
    'ls > x',
    'ls $HOME',
    'A=1 ls',
    '$(ls)',
    'ls *',
    'ls &',
    'a\nb',
  ])('%j is refused, since it is not one simple command', (text) => {
    const refusal = expect.objectContaining({
      code: 'invalid-input',
      details: expect.objectContaining({ what: 'approval rule' }),
    });
    expect(() => parseRule(text)).toThrow(refusal);
  });
});

describe('an allow rule', () => {
  it('speaks for what begins with its words, and for nothing else', () => {
    const rules = new ApprovalRules({ allow: ['git status', 'write_file src', 'mcp github create_issue', 'read_file /etc'] });
    const asked: [string[], boolean][] = [
      [['git', 'status'], true],
      [['git', 'status', '-s'], true],
      [['git', 'statusx'], false],
      [['git', 'push'], false],
      [['git'], false],
      [['git', '-c', 'x', 'status'], false],
      [['git', 'Status'], false],
      [['/usr/bin/git', 'status'], false],
      [['write_file', 'src', 'a.ts'], true],
      [['write_file', 'src2', 'a.ts'], false],
      [['write_file', 'lib', 'src', 'a.ts'], false],
      [['mcp', 'github', 'create_issue'], true],
      [['mcp', 'github', 'create_issue_comment'], false],
      [['mcp', 'gitlab', 'create_issue'], false],
      [['read_file', 'etc', 'hosts'], true],
      [['read_file', 'etcetera'], false],
      [[], false],
    ];
    expect(asked.map(([need]) => [need, rules.allow(need)])).toEqual(asked);
  });

  it.each(['bash', 'env', 'xargs', 'sudo', 'python -c', 'node -e', 'npx', 'find . -exec', 'ssh host', 'eval', '/bin/sh -c'])(
    '%s would let anything run, and so speaks for exactly itself',
    (text) => {
      const rules = new ApprovalRules({ allow: [text] });
      const words = parseRule(text);
      expect([rules.allow(words), rules.allow([...words, 'rm']), rules.allow([...words, '-c', 'rm -rf x'])]).toEqual([
        true,
        false,
        false,
      ]);
    },
  );

  it('speaks for a command word for word, also where that runs a text', () => {
    const rules = new ApprovalRules({ allow: ["bash -c 'npm ci && npm test'"] });
    expect(rules.allow(['bash', '-c', 'npm ci && npm test'])).toBe(true);
    expect(rules.allow(['bash', '-c', 'npm ci && npm test', 'x'])).toBe(false);
    expect(rules.allow(['bash', '-c', 'npm ci'])).toBe(false);
  });

  it('does not speak for a longer command that runs what its arguments say', () => {
    const rules = new ApprovalRules({ allow: ['find .', 'git', 'npm'] });
    expect(rules.allow(['find', '.', '-name', 'x'])).toBe(true);
    expect(rules.allow(['find', '.', '-exec', 'rm', '{}', ';'])).toBe(false);
    expect(rules.allow(['git', '-c', 'core.pager=sh', 'log'])).toBe(false);
    expect(rules.allow(['npm', 'exec', 'x'])).toBe(false);
  });
});

describe('a deny rule', () => {
  it('wins over an allow rule', () => {
    const rules = new ApprovalRules({ allow: ['git'], deny: ['git push'] });
    expect([rules.allow(['git', 'log']), rules.allow(['git', 'push', '-f']), rules.deny(['git', 'push', '-f'])]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('means a program wherever it lies, and everything that begins with its words', () => {
    const rules = new ApprovalRules({ deny: ['rm', 'bash'] });
    expect([['rm', '-rf', 'x'], ['/bin/rm', 'x'], ['../bin/rm'], ['bash', '-c', 'ls']].map((need) => rules.deny(need))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(rules.deny(['rmdir', 'x'])).toBe(false);
  });
});

it('whatever is allowed begins with the words of the rule, and whatever is forbidden too', () => {
  const word = fc.constantFrom('git', 'status', 'bash', '-c', 'x', '/bin/git', '');
  const words = fc.array(word, { maxLength: 4 });
  fc.assert(
    fc.property(words, words, (rule, need) => {
      const begins = rule.length > 0 && rule.every((each, i) => each === need[i]);
      if (allows(rule, need)) expect(begins).toBe(true);
      if (begins) expect(forbids(rule, need)).toBe(true);
    }),
  );
});
