import { expect, it } from 'vitest';
import { nameTools, toToolName } from './tool-names.ts';

it('makes a name that every provider takes', () => {
  expect(['read_file', 'mcp.files/read', '7zip', '-x', '', 'a'.repeat(70)].map(toToolName)).toEqual([
    'read_file',
    'mcp_files_read',
    '_7zip',
    '_-x',
    '_',
    'a'.repeat(64),
  ]);
});

it('keeps tools apart whose names would become the same', () => {
  const tools = ['a.b', 'a/b', 'a_b'].map((name) => ({ name, description: '', inputSchema: { type: 'object' } }));
  expect([...nameTools(tools)].map(([name, tool]) => [name, tool.name])).toEqual([
    ['a_b', 'a.b'],
    ['a_b_2', 'a/b'],
    ['a_b_3', 'a_b'],
  ]);
});
