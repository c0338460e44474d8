import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';
import { findSlashCommand, slashCommands } from './slash-table.ts';

describe('the slash commands', () => {
  it('have names of their own, and each can be loaded and called', async () => {
    const names = slashCommands.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => findSlashCommand(name.toUpperCase()) === undefined)).toEqual([]);
    const { host } = await openTalk();
    for (const command of slashCommands) expect(await command.complete?.([''], host)).toBeInstanceOf(Array);
  });

  it('name the nearest where one is misspelt, and how to send the line', async () => {
    const en = await openTalk();
    expect(await en.type('/serach x')).toEqual([
      'warning: Not sent: there is no command /serach. Did you mean /search? To send it as it is, begin with two slashes.',
    ]);
    expect(await en.type('/unheardof')).toEqual([
      'warning: Not sent: there is no command /unheardof. /help names them all. To send it as it is, begin with two slashes.',
    ]);
    const zh = await openTalk('zh');
    expect(await zh.type('/serach')).toEqual([
      'warning: 没有发送：没有 /serach 这个命令。是不是 /search？要原样发送，请以两个斜杠开头。',
    ]);
  });

  it('tell what goes wrong in the language of the talk', async () => {
    const en = await openTalk();
    expect(await en.type('/resume cnv_nothing')).toEqual([expect.stringMatching(/^error: Error: .*cnv_nothing/)]);
    const zh = await openTalk('zh', { setModel: () => Promise.reject(new Error('out of order')) });
    expect(await zh.type('/resume cnv_nothing')).toEqual([expect.stringMatching(/^error: 错误：.*cnv_nothing/)]);
    expect(await zh.type('/model x:y')).toEqual(['error: 错误：out of order']);
  });

  it('are completed: their names, and what comes after them', async () => {
    const { complete, host } = await openTalk();
    expect(await complete('/re')).toEqual(['/resume', '/recall', '/rename']);
    expect(await complete('/')).toHaveLength(slashCommands.length);
    expect(await complete('/team ')).toEqual(['deploy', 'list', 'status']);
    expect(await complete('/team D')).toEqual(['deploy']);
    expect(await complete('/model scripted:o')).toEqual(['scripted:other']);
    expect(await complete('/quit ')).toEqual([]);
    expect(await complete('/nothing ')).toEqual([]);
    expect(await complete('words')).toBeUndefined();
    expect(await complete('/etc/hosts')).toBeUndefined();
    expect(await findSlashCommand('help')?.complete?.(['te'], host)).toContain('team');
  });
});
