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
  [{ order: [] }, '不能为空'],
  [{ order: ['ana', 'ana'] }, '“ana”在 order 里重复了'],
  [{ members: [human, { ...ana, baseUrl: 'ftp://x' }] }, '必须是网址'],
  [{ members: [human, { ...ana, displayName: 'a,b]' }] }, '无法用 [NEXT: …] 点这个名字：括号要成对，名字要在一行内'],
  [{ members: [human, { ...ana, name: 'two\nlines' }] }, '无法用 [NEXT: …] 点这个名字：括号要成对，名字要在一行内'],
  [{ members: [human, { ...ana, name: '**' }] }, '无法用 [NEXT: …] 点这个名字：括号要成对，名字要在一行内'],
  [{ members: [human, { ...ana, name: '@me' }] }, '已有成员叫“@me”'],
])('%#', async (team, told) => {
  const { translateReason } = await loadMessages('zh');
  const text = JSON.stringify({ id: 't', members: [human, ana], ...team });
  const { reason } = await parseTeamFile('team.json', text).then(
    () => ({ reason: '' }),
    (error) => error.details as { reason: string },
  );
  expect(translateReason(reason)).toBe(told);
});

it.each([
  ['team.json', '{\n "id": "t",\n "members": [\n  1,\n ]\n}\n', 4, '多了一个逗号'],
  ['team.json', '{\n "id": "t"\n "members": []\n}', 2, '缺少逗号或结尾的 }'],
  ['team.json', '{\n "id": [1 2]\n}', 2, '缺少逗号或结尾的 ]'],
  ['team.json', '{\n "id" "t"\n}', 2, '字段名后面缺少冒号'],
  ['team.json', '{\n id: "t"\n}', 2, '字段名必须用双引号括起来'],
  ['team.json', '{\n "id": t\n}', 2, '这不是值；文本必须用双引号括起来'],
  ['team.json', '{\n "id": "t\n}', 2, '缺少结尾的引号'],
  ['team.json', '{\n "id": "\t"\n}', 2, '文本里有控制字符'],
  ['team.json', '{\n "id": "\\x"\n}', 2, '反斜杠后面的字符不能转义'],
  ['team.json', '{\n "id": "t"\n\n', 2, '文件提前结束：有引号或括号没有闭合'],
  ['team.json', '{}\n}', 2, '结尾之后还有内容'],
  ['team.toml', 'id = "t"\nname =\n', 2, '不是有效的值'],
  ['team.toml', 'id = "t"\nname = "a" task = "b"\n', 2, '每个“键 = 值”之后必须换行'],
  ['team.toml', 'id = "t"\nid = "u"\n', 2, '这个表或值已经定义过'],
  ['team.toml', 'id = "t"\nname = "a\n', 2, '文本里不能有控制字符，或缺少结尾的引号'],
  ['team.toml', 'id = "t"\norder = ["a"\n', 3, '缺少逗号或结尾的括号'],
  ['team.toml', 'id = "t"\n= 1\n', 2, '缺少键名或等号'],
  ['team.toml', 'id = "t"\nname\n', 2, '键名里有不能用的字符，或缺少等号'],
])('%s %j', async (path, text, line, told) => {
  const { translateReason } = await loadMessages('zh');
  const details = await parseTeamFile(path, text).then(
    () => undefined,
    (error) => error.details as { reason: string; line: number; place: string },
  );
  expect(details && { ...details, reason: translateReason(details.reason) }).toEqual({ path, line, place: 'file', reason: told });
});
