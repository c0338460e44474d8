// Mistakes in a team file, told in Chinese: every kind that a schema can find has a sentence of its own.
import { expect, it } from 'vitest';
import { loadMessages } from '../../src/cli/messages/load-messages.ts';
import { parseTeamFile } from '../../src/team/team-file/load-team-file.ts';

const human = { kind: 'human', id: 'me' };
const ana = { kind: 'model', id: 'ana' };

it.each([
  [{ members: [human, { kind: 'robot', id: 'p' }] }, '必须是其中之一：human, model, program'],
  [{ members: [human, { kind: 'program', id: 'p', program: 'gpt' }] }, '必须是其中之一：claude, codex, gemini, template'],
  [{ members: [human, { kind: 'model' }] }, '缺少这一项'],
  [{ members: [human, { ...ana, name: ' ' }] }, '不能为空'],
  [{ members: [human, { ...ana, role: 'x'.repeat(501) }] }, '最多 500 个字符'],
  [{ members: Array(101).fill(human) }, '最多 100 项'],
  [{ members: [human, { ...ana, baseUrl: 'here' }] }, '必须是网址'],
  [{ members: [human, { ...ana, timeoutSeconds: 0 }] }, '必须大于 0'],
  [{ members: [human, { ...ana, maxOutputTokens: 1.5 }] }, '必须是整数'],
  [{ members: 'ana' }, '必须是列表'],
  [{ members: ['ana'] }, '必须是带字段的对象'],
  [{ order: [1] }, '必须是文本'],
  [{ limits: { maxRounds: 'many' } }, '必须是数'],
  [{ limits: { maxRounds: 0 } }, '不能小于 1'],
  [{ limits: { maxRounds: 1001 } }, '不能大于 1000'],
  [{ colour: 'red' }, '没有这个字段'],
])('%#', async (team, told) => {
  const { translateReason } = await loadMessages('zh');
  const text = JSON.stringify({ id: 't', members: [human, ana], ...team });
  const { reason } = await parseTeamFile('team.json', text).then(
    () => ({ reason: '' }),
    (error) => error.details as { reason: string },
  );
  expect(translateReason(reason)).toBe(told);
});
