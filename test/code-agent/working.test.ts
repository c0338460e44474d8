// A code agent at work: a real repository, the project's own check, a scripted model.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBrokenProject, createQuickProject } from '../support/code-project.ts';
import { createAgent, editAnswer, fixingScript } from '../support/test-agent.ts';

describe('a code agent', () => {
  it('finds the bug, edits, runs the check, has it reviewed, and is done', async () => {
    const root = createBrokenProject();
    const { agent, model, events } = await createAgent(root, fixingScript());
    const report = await agent.run('The test of add fails. Mend it.');
    expect(report).toMatchObject({
      outcome: 'done',
      text: 'It subtracted. Now it adds.',
      checks: { outcome: 'passed' },
      reviews: [{ outcome: 'accepted', text: 'It does what was asked.' }],
    });
    expect(report.changes.files.map(({ path, status }) => [path, status])).toEqual([['add.js', 'modified']]);
    expect(readFileSync(join(root, 'add.js'), 'utf8')).toBe('exports.add = (a, b) => a + b;\n');
    execFileSync('npm', ['test', '--silent'], { cwd: root, stdio: 'pipe' });
    expect(model.requests[0]?.instructions).toContain('add.js');
    expect(events.filter(({ type }) => type === 'phase').map((event) => 'phase' in event && event.phase)).toEqual([
      'working',
      'checking',
      'reviewing',
      'done',
    ]);
    await agent.close();
  });

  it('commits on request what it changed, and nothing the person had changed before', async () => {
    const root = createQuickProject();
    writeFileSync(join(root, 'notes.txt'), 'mine\n');
    const { agent } = await createAgent(root, [editAnswer, 'It adds.'], { disableReview: true });
    await agent.run('The test of add fails. Mend it.');
    const { commit, paths } = await agent.commit('add: it adds');
    expect(paths).toEqual(['add.js']);
    const shown = execFileSync('git', ['show', '--stat', '--format=%s', commit], { cwd: root, encoding: 'utf8' });
    expect(shown).toContain('add: it adds');
    expect(shown).not.toContain('notes.txt');
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })).toBe('?? notes.txt\n');
    await agent.close();
  });
});
