// What a command can and cannot do in the sandbox of Linux: every wall is run against for real.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { needs } from '../../../test/support/require-system.ts';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type CommandOptions, runCommand } from '../run-command.ts';
import { findSandbox } from './find-sandbox.ts';
import type { Sandbox } from './sandbox.ts';

const found = await findSandbox();
const possible =
  process.platform === 'linux' && needs('sandbox' in found, `bubblewrap (${'missing' in found ? found.missing : ''})`);
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' };

describe.runIf(possible)('in bubblewrap a command', () => {
  it('writes to its project and to nothing else', async () => {
    const [project, beside] = [createTemporaryFolder('project'), createVisibleFolder()];
    writeFileSync(join(beside, 'kept'), '');
    const { output } = await run(`echo inside > made; echo x > ${beside}/a || rm -rf ${beside}/kept || echo refused`, project);
    expect(output).toMatch(/refused\n$/);
    expect(readFileSync(join(project, 'made'), 'utf8')).toBe('inside\n');
    expect(readdirSync(beside)).toEqual(['kept']);
  });

  it('changes nothing of the system, also as root', async () => {
    // Opened for writing and closed again: harmless where the wall is missing.
    const places = [
      '/proc/sys/kernel/core_pattern',
      '/proc/sysrq-trigger',
      '/proc/sys/vm/drop_caches',
      '/etc/passwd',
      '/sys/kernel/uevent_helper',
    ];
    const tries = places.map((place) => `(: >> ${place}) 2>/dev/null && echo opened ${place}`).join('; ');
    const { output } = await run(
      `${tries}; find /etc /usr /proc/sys /sys -xdev -type f -writable 2>/dev/null | head -3; echo done`,
    );
    expect(output).toBe('done\n');
  });

  it('does not get out through a link it makes', async () => {
    const [project, beside] = [createTemporaryFolder('project'), createVisibleFolder()];
    const { output } = await run(`ln -s ${beside} out; echo x > out/a || echo refused`, project);
    expect(output).toContain('refused\n');
    expect(readdirSync(beside)).toEqual([]);
  });

  it('does not widen what the next one may write by a link in place of a writable folder', async () => {
    const [project, beside] = [createTemporaryFolder('project'), createVisibleFolder()];
    const writable = [project, join(project, 'build')];
    await run(`ln -s ${beside} build`, project, { writable });
    const { output } = await run('echo x > build/a || echo refused', project, { writable });
    expect(output).toContain('refused\n');
    expect(readdirSync(beside)).toEqual([]);
  });

  it('has a /tmp of its own, empty and gone afterwards', async () => {
    const foreign = createTemporaryFolder('foreign');
    const project = createVisibleFolder();
    const { output } = await run(
      `ls -A /tmp; test -e ${foreign} || echo unseen; echo x > /tmp/mine && cat /tmp/mine; echo "$TMPDIR"`,
      project,
    );
    expect(output).toBe('unseen\nx\n/tmp\n');
    expect(existsSync('/tmp/mine')).toBe(false);
  });

  it('sees only its own processes and devices', async () => {
    const { output } = await run(
      `ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} 2>/dev/null || echo alone; ls /dev/[ksv]d* 2>/dev/null`,
    );
    expect(output).toMatch(/^[1-9]\nalone\n$/);
  });

  it('has no privileges, and cannot get any', async () => {
    const { output } = await run(
      "grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status | tr -d '\\t'; cut -d' ' -f6 /proc/self/stat",
    );
    expect(output).toMatch(/^CapPrm:0+\nCapEff:0+\nCapBnd:0+\nNoNewPrivs:1\n(?!0\n)/);
    const more = await run('unshare -Ur true 2>/dev/null || echo refused; mount -t tmpfs x /mnt 2>/dev/null || echo refused');
    expect(more.output).toBe('refused\nrefused\n');
  });

  it('has no terminal to type into', async () => {
    expect((await run('(echo x > /dev/tty) 2>/dev/null || echo none')).output).toBe('none\n');
  });

  it('reaches the network only where it is allowed', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const ask = `${process.execPath} -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("refused"))'`;
    expect((await run(ask)).output).toBe('refused\n');
    expect((await run(ask, undefined, { network: true })).output).toBe('reached\n');
  });

  it('does not see secrets, in the home folder and where it was told', async () => {
    const home = createVisibleFolder();
    const project = join(home, 'project');
    for (const folder of ['.ssh', '.config/gh', 'continuo', 'project']) mkdirSync(join(home, folder), { recursive: true });
    for (const file of ['.ssh/id_ed25519', '.netrc', '.config/gh/hosts.yml', 'continuo/store.db', 'plain'])
      writeFileSync(join(home, file), 'secret');
    const show = 'cat ../.ssh/* ../.netrc ../.config/gh/* ../continuo/* ../plain 2>/dev/null';
    const spoil = '(echo x > ../.ssh/config) 2>/dev/null || echo refused';
    const options = { sandbox: await sandboxFor(home), hidden: [join(home, 'continuo')] };
    expect((await run(`${show}; echo; ${spoil}`, project, options)).output).toBe('secret\nrefused\n');
    // Also where the home folder is the project.
    expect((await run(`cd project; ${show}; echo; ${spoil}`, home, options)).output).toBe('secret\nrefused\n');
    expect(readFileSync(join(home, '.ssh/id_ed25519'), 'utf8')).toBe('secret');
    expect(readdirSync(join(home, '.ssh'))).toEqual(['id_ed25519']);
  });

  it('does not see a hidden folder inside of its project, nor move it into sight', async () => {
    const project = createTemporaryFolder('project');
    const hidden = join(project, 'data/continuo');
    mkdirSync(hidden, { recursive: true });
    writeFileSync(join(hidden, 'store.db'), 'secret');
    const options = { hidden: [hidden] };
    const { output } = await run(
      'cat data/continuo/*; mv data elsewhere; mv data/continuo other; echo x > data/y',
      project,
      options,
    );
    expect(output).not.toContain('secret');
    expect(readdirSync(project)).toContain('data');
    expect(readFileSync(join(hidden, 'store.db'), 'utf8')).toBe('secret');
    expect(readFileSync(join(project, 'data/y'), 'utf8')).toBe('x\n');
  });

  it('works in a project inside of a hidden folder', async () => {
    const home = createVisibleFolder();
    const project = join(home, 'projects/one');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(home, 'store.db'), 'secret');
    const { output } = await run('echo x > made; ls ../..', project, { hidden: [home] });
    expect(output).toBe('projects\n');
    expect(readFileSync(join(project, 'made'), 'utf8')).toBe('x\n');
  });

  it('commits to its repository but plants no hook and changes no configuration', async () => {
    const project = createTemporaryFolder('project');
    const git = (...args: string[]) => spawnSync('git', args, { cwd: project, env: { ...env, HOME: project }, encoding: 'utf8' });
    git('init', '-q');
    git('config', 'user.email', 'a@example.org');
    git('config', 'user.name', 'A');
    const config = readFileSync(join(project, '.git/config'), 'utf8');
    const commit = await run('echo a > a && git add a && git commit -qm first && git log --format=%s', project, {
      env: { ...env, HOME: project },
    });
    expect(commit).toMatchObject({ exitCode: 0, output: 'first\n' });
    const plants = [
      'echo x > .git/hooks/pre-commit',
      'mv .git/hooks .git/other',
      'mv .git away',
      'echo x >> .git/config',
      'mv .git/config .git/other',
      'rm -rf .git/hooks .git/config',
      'ln -sf /tmp .git/hooks/x',
    ];
    const { output } = await run(plants.map((plant) => `(${plant}) 2>/dev/null && echo "${plant}"`).join('; '), project);
    expect(output).toBe('');
    expect(readFileSync(join(project, '.git/config'), 'utf8')).toBe(config);
    expect(existsSync(join(project, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(join(project, '.git/hooks/x'))).toBe(false);
  });

  it('plants no hook where there is no folder for hooks, and does not point a worktree elsewhere', async () => {
    const [project, worktree] = [createTemporaryFolder('project'), createTemporaryFolder('worktree')];
    mkdirSync(join(project, '.git'));
    writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(worktree, '.git'), 'gitdir: /nowhere\n');
    await run('mkdir -p .git/hooks; echo x > .git/hooks/pre-commit', project);
    await run('echo gitdir: /tmp > .git; mv .git x', worktree);
    expect(readdirSync(join(project, '.git/hooks'))).toEqual([]);
    expect(readFileSync(join(worktree, '.git'), 'utf8')).toBe('gitdir: /nowhere\n');
  });

  it('works in folders with strange names, behind links and in /tmp, and passes over what is not there', async () => {
    const outer = createTemporaryFolder('outer');
    const real = join(outer, 'a b \'中文\' "c" $d');
    const link = join(outer, 'link');
    mkdirSync(real);
    symlinkSync(real, link);
    const write = 'echo x >> made && cat made';
    expect((await run(write, real)).output).toBe('x\n');
    expect((await run(`${write}; cd / && echo y >> ${link}/made`, link)).output).toBe('x\nx\n');
    expect((await run(write, real, { writable: [real, join(outer, 'missing'), '/no/such/folder'] })).output).toBe('x\nx\ny\nx\n');
    expect(
      (await run('cat made > /dev/null && (echo x > more) 2>/dev/null || echo refused', real, { writable: [] })).output,
    ).toBe('refused\n');
    expect(readdirSync(outer).sort()).toEqual(['a b \'中文\' "c" $d', 'link']);
  });

  it.each(['/', '/proc', '/dev', '/tmp', '/etc'])(
    'started in %s sees its own processes, devices and temporary files there too',
    async (cwd) => {
      const foreign = createTemporaryFolder('foreign');
      const writable = cwd === '/proc' || cwd === '/dev' ? [cwd] : [];
      const look = `ls /proc | grep -c '^[0-9]'; test -e ${foreign} || echo unseen; (: >> /proc/sys/kernel/core_pattern) 2>/dev/null || echo refused`;
      const { output } = await run(`pwd; ${look}; test -e /dev/kmsg || echo none; echo x > /dev/null`, cwd, { writable });
      expect(output).toMatch(new RegExp(`^${cwd}\\n[1-9]\\nunseen\\nrefused\\nnone\\n$`));
    },
  );

  it('does not change the kernel where the whole disk is writable', async () => {
    const tries = ['/proc/sys/kernel/core_pattern', '/sys/kernel/uevent_helper', '/sys/kernel/mm/transparent_hugepage/enabled'];
    const { output } = await run(tries.map((place) => `(: >> ${place}) 2>/dev/null && echo opened ${place}`).join('; '), '/', {
      writable: ['/'],
    });
    expect(output).toBe('');
  });

  it('may be given more than one folder, and files', async () => {
    const [project, other] = [createTemporaryFolder('project'), createVisibleFolder()];
    const file = join(createVisibleFolder(), 'notes');
    writeFileSync(file, '');
    const { exitCode } = await run(`echo x > ${other}/a && echo y > ${file}`, project, { writable: [project, other, file] });
    expect(exitCode).toBe(0);
    expect([readFileSync(join(other, 'a'), 'utf8'), readFileSync(file, 'utf8')]).toEqual(['x\n', 'y\n']);
  });

  it('cannot change what git would run later in a repository inside of the project', async () => {
    const project = createTemporaryFolder('project');
    for (const inner of ['sub', 'packages/deep']) {
      spawnSync('git', ['init', '-q', join(project, inner)]);
    }
    const { output } = await run(
      'for r in sub packages/deep; do (echo evil > $r/.git/hooks/pre-commit) 2>/dev/null || echo kept; (echo evil >> $r/.git/config) 2>/dev/null || echo kept; done; echo x > sub/.git/note && echo works',
      project,
    );
    expect(output).toBe('kept\nkept\nkept\nkept\nworks\n');
  });

  it('does not reach the sockets of other programs', async () => {
    const { output } = await run('find /run /var/run/ /tmp -type s; ls /run');
    expect(output).toBe('');
  });
});

function run(command: string, cwd = createTemporaryFolder('project'), options: Partial<CommandOptions> = {}) {
  return runCommand({ command, cwd, env, sandbox: (found as { sandbox: Sandbox }).sandbox, ...options });
}

async function sandboxFor(home: string): Promise<Sandbox> {
  return ((await findSandbox({ home })) as { sandbox: Sandbox }).sandbox;
}

/** A folder outside of the ones a command has of its own, so that it can be seen. */
function createVisibleFolder(): string {
  const folder = mkdtempSync(join(homedir(), '.continuo-exec-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
