import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findJsonLine } from './json-place.ts';
import { loadTeamFile, parseTeamFile } from './load-team-file.ts';
import { teamFileSchema } from './team-schema.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const human = { kind: 'human', id: 'me' };
const ana = { kind: 'model', id: 'ana' };

function mistakeOf(team: object): Promise<unknown> {
  return parseTeamFile('team.json', JSON.stringify({ id: 't', members: [human, ana], ...team })).then(
    () => undefined,
    (error) => error.details,
  );
}

it('fills in what a file leaves out', async () => {
  expect(
    await parseTeamFile('team.json', JSON.stringify({ id: 't', members: [human, { ...ana, name: 'Ana', timeoutSeconds: 2 }] })),
  ).toEqual({
    id: 't',
    name: 't',
    members: [
      { kind: 'human', id: 'me', name: 'me', displayName: 'me' },
      { kind: 'model', id: 'ana', name: 'Ana', displayName: 'Ana', timeout: 2000 },
    ],
    order: ['ana'],
    limits: { maxRounds: 5, windowTokens: 24_000, maxAnswerCharacters: 200_000 },
  });
});

describe('a mistake is told with its place', () => {
  it.each([
    [{ members: [human] }, 'members', 'a team needs a member that is no human'],
    [{ members: [ana] }, 'members', 'a team needs a human to ask'],
    [{ members: [human, ana, { ...ana, id: 'b', name: 'ANA' }] }, 'members[2].name', 'another member is called "ANA" already'],
    [{ order: ['ana', 'zoe'] }, 'order[1]', 'there is no member "zoe"'],
    [{ order: ['me'] }, 'order[0]', '"me" is a human; the order is about the others'],
    [{ colour: 'red' }, 'colour', 'there is no such field'],
    [
      { members: [human, { kind: 'program', id: 'p', program: 'template' }] },
      'members[1].command',
      'a template needs the command to run',
    ],
    [
      { members: [human, { kind: 'program', id: 'p', program: 'claude', command: ['x'] }] },
      'members[1].command',
      'only a template has it',
    ],
    [{ members: [human, { kind: 'robot', id: 'p' }] }, 'members[1].kind', 'it must be one of human, model, program'],
    [{ members: [human, { id: 'p' }] }, 'members[1].kind', 'this field is missing'],
    [{ members: [human, { kind: 'program', id: 'p' }] }, 'members[1].program', 'this field is missing'],
    [
      { members: [human, { kind: 'program', id: 'p', program: 'gpt' }] },
      'members[1].program',
      'it must be one of claude, codex, gemini, template',
    ],
    [{ members: [human, { kind: 'model' }] }, 'members[1].id', 'this field is missing'],
    [{ members: [human, { ...ana, name: ' ' }] }, 'members[1].name', 'it must not be empty'],
    [{ members: [human, { ...ana, role: 'x'.repeat(501) }] }, 'members[1].role', 'it must be at most 500 characters'],
    [{ members: [human, { ...ana, baseUrl: 'here' }] }, 'members[1].baseUrl', 'it must be a web address'],
    [{ members: [human, { ...ana, timeoutSeconds: 0 }] }, 'members[1].timeoutSeconds', 'it must be more than 0'],
    [{ members: [human, { ...ana, maxOutputTokens: 1.5 }] }, 'members[1].maxOutputTokens', 'it must be a whole number'],
    [{ members: [] }, 'members', 'it must not be empty'],
    [{ members: 'ana' }, 'members', 'it must be a list'],
    [{ members: ['ana'] }, 'members[0]', 'it must be an object with fields'],
    [{ order: Array(3).fill(1) }, 'order[0]', 'it must be text'],
    [{ limits: { maxRounds: 0 } }, 'limits.maxRounds', 'it must be at least 1'],
    [{ limits: { maxRounds: 1001 } }, 'limits.maxRounds', 'it must be at most 1000'],
    [{ limits: { maxRounds: 'many' } }, 'limits.maxRounds', 'it must be a number'],
    [{ id: 'Not An Id' }, 'id', expect.stringContaining('lower-case')],
  ])('%j', async (team, place, reason) => {
    expect(await mistakeOf(team)).toEqual({ path: 'team.json', line: 1, place, reason });
  });

  it('and its line, in JSON', async () => {
    const text = '{\n "id": "t",\n "members": [\n  {"kind":"human","id":"me"},\n  {"kind":"model",\n   "id": "a b"}\n ]\n}';
    await expect(parseTeamFile('t.json', text)).rejects.toMatchObject({
      code: 'team-invalid',
      details: { line: 6, place: 'members[1].id' },
    });
    await expect(parseTeamFile('t.json', '{\n "id": "t",\n oops\n}')).rejects.toMatchObject({
      details: { line: 3, place: 'file' },
    });
    expect(findJsonLine('{"a\\"":{"x":1},\n"b":[1,[2],"]",\n{"c":4}]}', ['b', 3, 'c'])).toBe(3);
  });

  it('and its line, in TOML', async () => {
    const text =
      'id = "t"\n\n[[members]]\nkind = "human"\nid = "me"\n\n[[members]]\nkind = "model"\nid = "ana"\n\n[limits]\nmaxRounds = "many"\n';
    await expect(parseTeamFile('t.toml', text)).rejects.toMatchObject({ details: { line: 12, place: 'limits.maxRounds' } });
    await expect(parseTeamFile('t.toml', 'id = \n')).rejects.toMatchObject({ details: { line: 1, place: 'file' } });
    await expect(parseTeamFile('t.toml', text.replace('"many"', '3').replace('id = "ana"', 'id = "me"'))).rejects.toMatchObject({
      details: { line: 9, place: 'members[1].id' },
    });
  });
});

it('the examples are teams', async () => {
  const folder = join(root, 'examples/teams');
  const teams = await Promise.all(readdirSync(folder).map((name) => loadTeamFile(join(folder, name))));
  expect(teams.map(({ id }) => id)).toEqual(['code-review', 'planning']);
});

it('the published schema is the one that is checked', () => {
  const published = JSON.parse(readFileSync(join(root, 'docs/formats/team.schema.json'), 'utf8'));
  expect(published).toEqual({ title: 'Continuo team', ...z.toJSONSchema(teamFileSchema, { io: 'input' }) });
});
