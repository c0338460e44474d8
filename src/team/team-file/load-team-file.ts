// team.json and team.toml: read, checked, and pointed into. A mistake is `team-invalid` with the path to it and its line.
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type * as z from 'zod';
import { ContinuoError } from '../../model/error.ts';
import { createTeam, type Team } from '../team-definition.ts';
import { describeIssue } from './describe-issue.ts';
import { findJsonMistake } from './json-mistake.ts';
import { findJsonLine, lineOfOffset } from './json-place.ts';
import { teamFileSchema } from './team-schema.ts';
import { findTomlLine } from './toml-place.ts';

const longestFile = 4 * 1024 * 1024;

export async function loadTeamFile(path: string): Promise<Team> {
  return parseTeamFile(path, await readTeamText(path));
}

/** The name says which format it is: `.toml`, or JSON. */
export async function parseTeamFile(path: string, text: string): Promise<Team> {
  const isToml = extname(path).toLowerCase() === '.toml';
  const clean = text.replace(/^\uFEFF/, '');
  const value = isToml ? await parseToml(path, clean) : parseJson(path, clean);
  const result = teamFileSchema.safeParse(value);
  if (result.success) return createTeam(result.data);
  const [issue] = result.error.issues as [z.core.$ZodIssue];
  const place = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const full = unknown === undefined ? place : [...place, unknown];
  const line = isToml ? findTomlLine(clean, full) : findJsonLine(clean, full);
  const found = place.reduce<unknown>((around, part) => (around as Record<string | number, unknown> | undefined)?.[part], value);
  const reason = describeIssue(issue, found);
  throw new ContinuoError('team-invalid', { path, line, place: formatPlace(full), reason });
}

async function readTeamText(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > longestFile)
      throw new ContinuoError('team-invalid', { path, line: 1, place: 'file', reason: 'it is too large' });
    return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ContinuoError('team-not-found', { path }, { cause: error });
    if (code === 'EACCES' || code === 'EPERM') throw new ContinuoError('permission-denied', { path }, { cause: error });
    if (error instanceof ContinuoError) throw error;
    throw new ContinuoError('io-failed', { path, reason: (error as Error).message }, { cause: error });
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { offset, reason } = findJsonMistake(text) ?? { offset: 0, reason: 'it is not JSON' };
    throw new ContinuoError('team-invalid', { path, line: lineOfOffset(text, offset), place: 'file', reason }, { cause: error });
  }
}

async function parseToml(path: string, text: string): Promise<unknown> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'it is not TOML';
    throw new ContinuoError('team-invalid', { path, line: error.line, place: 'file', reason }, { cause: error });
  }
}

/** `members[2].model`, as people write it. */
function formatPlace(place: readonly (string | number)[]): string {
  if (place.length === 0) return 'file';
  return place.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
}
