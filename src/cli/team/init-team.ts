// continuo team init: a team file to begin with. Nothing is overwritten without being told to.
import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import { toStoreError } from '../../store/io-fault.ts';
import { parseTeamFile } from '../../team/team-file/load-team-file.ts';
import type { Context } from '../context.ts';
import { readChoice } from '../option-values.ts';
import { plainLine } from '../output/plain-text.ts';
import { usageError } from '../usage-error.ts';
import type { TeamOptions } from './deploy-options.ts';
import { teamExampleNames, teamExamples } from './team-examples.ts';

export async function initTeam(context: Context, given: string | undefined, options: TeamOptions): Promise<undefined> {
  const { output, text } = context;
  const name = readChoice(
    context,
    '--from',
    options.from ?? (extname(given ?? '') === '.toml' ? 'planning' : 'review'),
    teamExampleNames,
  );
  const example = teamExamples[name];
  if (given !== undefined && extname(given) !== extname(example.file))
    throw usageError(text.team.otherEnding(name, extname(example.file)));
  const path = resolve(given ?? example.file);
  const team = await parseTeamFile(path, example.text);
  try {
    await writeFile(path, example.text, { flag: options.force ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ContinuoError('file-exists', { path }, { cause: error });
    throw toStoreError(error, path);
  }
  output.done({ file: path, team: { id: team.id, name: team.name } }, () => [
    text.team.written(plainLine(path)),
    text.team.tryIt(plainLine(given ?? example.file)),
  ]);
}
