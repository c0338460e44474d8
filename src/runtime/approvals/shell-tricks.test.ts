// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell texts hold templates of their own
// Ways to smuggle another command past the rules "git status", "ls" and "npm test". Not one of them may run without a person.
import { describe, expect, it } from 'vitest';
import { parseShell } from '../../exec/shell/parse-shell.ts';
import { type ConversationId, createConversationId } from '../../model/id.ts';
import type { ToolAccess } from '../../model/ports/tool.ts';
import { ApprovalGrants } from './approval-grants.ts';
import { ApprovalRules } from './approval-rule.ts';
import { Approvals } from './approvals.ts';

const allow = ['git status', 'ls', 'npm test'];
const conversationId: ConversationId = createConversationId(1);

const fine = [
  'git status',
  'git status -s',
  'g"it" status',
  "'git' 'status'",
  '"git" status',
  '\\git status',
  'git   status\t--short',
  'git status; ls',
  'git status && npm test',
  'ls | ls',
  'ls\nls',
  'ls -la src',
  "ls 'a;b'",
  "ls '$(rm x)'",
  'ls "a && b"',
  'npm test -- --watch',
  'npm test -- --config vitest.ts',
  'npm test -s --silent',
  'npm test -w web',
];

const attacks = [
  // Another command beside it.
  'git status; rm -rf x',
  'git status;rm -rf x',
  'git status&&rm x',
  'git status && rm x',
  'git status || rm x',
  'git status|sh',
  'git status | sh',
  'git status |& sh',
  'git status & rm x',
  'git status &',
  'git status&',
  'git status\nrm x',
  'git status\n\n\nrm x',
  'git status\r\nrm x',
  'git status\rrm x',
  'git status\u2028rm x',
  'git status\u0085rm x',
  'rm x; git status',
  'rm x\ngit status',
  'rm x # git status',
  'git status # ok\nrm x',
  'ls;;rm x',
  'ls | tee /etc/passwd',
  'ls | xargs rm',
  'ls && ls && ls && rm x',
  // Expansions.
  'git status $(rm x)',
  'git status "$(rm x)"',
  'git status `rm x`',
  'git status "`rm x`"',
  'git status $((a[$(rm x)]))',
  'git status ${x:-$(rm x)}',
  'git status $IFS',
  'git status $x',
  'git $x',
  '$x',
  '${x}',
  "git status $'\\nrm x'",
  'git status $"x"',
  'ls <(rm x)',
  'ls >(rm x)',
  'l$()s; r$()m x',
  'ls ${IFS}',
  '{git,status}',
  '{rm,x}',
  'git {status,push}',
  'ls {a,b}',
  'git status !!',
  '!rm',
  'l?',
  '/bin/r*',
  '~/bin/git status',
  // Environment.
  'PATH=/tmp git status',
  'GIT_EXTERNAL_DIFF=/tmp/x git status',
  'LD_PRELOAD=/tmp/x.so ls',
  'A=1 B=2 ls',
  'A+=1 ls',
  'A[0]=1 ls',
  'env ls',
  'env -S "rm x" ls',
  'export PATH=/tmp; ls',
  // Redirections.
  'git status > /etc/passwd',
  'git status >/etc/passwd',
  'git status>x',
  'git status >> ~/.bashrc',
  'git status 2> x',
  'git status &> x',
  'git status >| x',
  'git status < x',
  'ls <<< x',
  'ls << END\nx\nEND',
  'ls <> x',
  '> x ls',
  // Another program of that name, or nearly.
  '/tmp/git status',
  './git status',
  '../git status',
  'bin/ls',
  '/bin/ls',
  'gіt status',
  'ɡit status',
  'git\u200b status',
  'git\u00a0status',
  'git\u3000status',
  '\u202egit status',
  '\ufeffgit status',
  'ｌｓ',
  'LS',
  'git statuѕ',
  'git STATUS',
  'git statusx',
  'lsx',
  'ls-x',
  'gitstatus',
  'git-status',
  'npm tests',
  'npm test2',
  '%git status',
  // NUL and other characters that end or hide a text.
  'git status\0; rm x',
  'git\0 status',
  'git status\u0008\u0008',
  'git status\u001b[2K rm x',
  'git status\u000brm x',
  'git status\u000crm x',
  // Options that run programs or change where they come from.
  'git --exec-path=. status',
  'git --exec-path . status',
  'git -c core.fsmonitor=/tmp/x status',
  'git -ccore.fsmonitor=/tmp/x status',
  'git -C /tmp/evil status',
  'git --git-dir=/tmp/evil status',
  'git --config-env=core.pager=X status',
  'git -p status',
  'npm test --script-shell=/tmp/x',
  'npm test --script-shell /tmp/x',
  'npm --prefix /tmp/evil test',
  'npm test --prefix /tmp/evil',
  'npm test --prefix=/tmp/evil',
  'npm --node-options=--require=/tmp/x test',
  'npm test --script-s=/tmp/x',
  'npm test --script-shel /tmp/x',
  'npm test -script-shell=/tmp/x',
  'npm test -script-s=/tmp/x',
  'npm test --SCRIPT-SHELL=/tmp/x',
  'npm test "--script-shell=/tmp/x"',
  'npm test --userconfig=/tmp/npmrc',
  'npm test --userc /tmp/npmrc',
  'npm test --globalconfig=/tmp/npmrc',
  'npm test --s=/tmp/x',
  'git status --exec=x',
  'npm exec test',
  'npm run test',
  // Texts that are run later or by somebody else.
  'bash -c "git status"',
  'sh -c ls',
  'eval git status',
  'exec ls',
  'command ls',
  'builtin ls',
  'sudo ls',
  'nohup ls',
  'time ls',
  'timeout 1 ls',
  'xargs ls',
  'watch ls',
  '. ls',
  'source ls',
  'alias ls=rm; ls',
  'alias git="rm x"\ngit status',
  'ls() { rm x; }; ls',
  'ls () { rm x; }',
  'function ls { rm x; }',
  'trap "rm x" EXIT; ls',
  'set -e; ls',
  'hash -p /tmp/x ls; ls',
  'enable -f /tmp/x.so ls',
  'cd /tmp/evil && npm test',
  'pushd /tmp/evil; npm test',
  // Grouping and control.
  '(git status; rm x)',
  '{ git status; rm x; }',
  'if git status; then rm x; fi',
  'while ls; do rm x; done',
  'for x in a; do ls; done',
  'case x in x) rm x;; esac',
  '! git status',
  '[[ -n x ]] && ls',
  '[ -e x ] && rm x',
  'coproc ls',
  'select x in a; do ls; done',
  // Unfinished or continued.
  'git status \\\n; rm x',
  'git \\\nstatus',
  'git status "',
  "git status '",
  'git status \\',
  'git status "a\nrm x',
  'git status &&',
  '&& git status',
  '; ls',
  '""',
  '"" ls',
  '"git status"',
  "'git status; rm x'",
  'git\\ status',
  'git "status -s"',
  'git "status\nrm x"',
  '',
  ' ',
  '#',
  '# git status',
];

describe('the rules "git status", "ls" and "npm test"', () => {
  it(`are not got round by any of ${attacks.length} tricks`, async () => {
    expect(attacks.length).toBeGreaterThanOrEqual(80);
    expect(new Set(attacks).size).toBe(attacks.length);
    const passed: string[] = [];
    for (const attack of attacks) if ((await decide(attack, 'deny')) === 'allowed') passed.push(attack);
    expect(passed).toEqual([]);
  });

  it('lead to a question about every one of them, which shows what would be run', async () => {
    const unasked: string[] = [];
    for (const attack of attacks) if ((await decide(attack, 'ask')) !== 'asked') unasked.push(attack);
    expect(unasked).toEqual([]);
  });

  it.each(fine)('%j is what they allow', async (text) => {
    expect(await decide(text, 'deny')).toBe('allowed');
  });
});

/** As the tool for commands does it: a text that is not understood is always asked about. */
function accessOf(text: string): ToolAccess {
  const parsed = parseShell(text);
  if ('opaque' in parsed) return { needs: [], askAlways: `it has ${parsed.opaque}`, summary: text };
  return { needs: parsed.commands, summary: text };
}

async function decide(text: string, mode: 'ask' | 'deny'): Promise<string> {
  const grants = new ApprovalGrants({ root: conversationId });
  let asked = false;
  const ask = async () => {
    asked = true;
    return { allow: false };
  };
  const approvals = new Approvals({ rules: new ApprovalRules({ allow }), grants, mode, ask });
  const signal = new AbortController().signal;
  const { decision } = await approvals.decide({
    conversationId,
    callId: '1',
    tool: 'run_command',
    access: accessOf(text),
    signal,
  });
  grants.close();
  return asked ? 'asked' : decision;
}
