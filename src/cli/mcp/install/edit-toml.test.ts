import { describe, expect, it } from 'vitest';
import { withoutTable, withTable } from './edit-toml.ts';

const table = { command: 'continuo', args: ['mcp', '--home', '/家'] };
const lines = ['[mcp_servers.continuo]', 'command = "continuo"', 'args = ["mcp","--home","/家"]', ''];

describe('a table put into a TOML file', () => {
  it('stands at the end, and what was there stays as it is', () => {
    expect(withTable('', 'mcp_servers.continuo', table)).toBe(lines.join('\n'));
    expect(withTable('model = "x" # 模型\n', 'mcp_servers.continuo', table)).toBe(`model = "x" # 模型\n\n${lines.join('\n')}`);
    expect(withTable('a = 1', 'mcp_servers.continuo', table)).toBe(`a = 1\n\n${lines.join('\n')}`);
    expect(withTable('a = 1\r\n', 'mcp_servers.continuo', table)).toBe(`a = 1\r\n\r\n${lines.join('\r\n')}`);
  });

  it('takes the place of one of that name, and leaves comments and the next table alone', () => {
    const before = ['[mcp_servers.continuo]', 'command = "old"', '', '# about the next', '[other]', 'x = 1', ''].join('\n');
    expect(withTable(before, 'mcp_servers.continuo', table)).toBe(
      [...lines.slice(0, 3), '', '# about the next', '[other]', 'x = 1', ''].join('\n'),
    );
  });

  it('can be taken out again, with the tables below it', () => {
    const before = 'model = "x"\n\n[other]\ny = 2\n';
    expect(withoutTable(withTable(before, 'mcp_servers.continuo', table), 'mcp_servers.continuo')).toBe(before);
    const crowded = [
      'a = 1',
      '',
      '[mcp_servers.continuo]',
      'command = "c"',
      '',
      '[mcp_servers.continuo.env]',
      'K = "v"',
      '',
      '[z]',
      '',
    ];
    expect(withoutTable(crowded.join('\n'), 'mcp_servers.continuo')).toBe(['a = 1', '', '[z]', ''].join('\n'));
    expect(withoutTable(before, 'mcp_servers.continuo')).toBeUndefined();
  });
});
