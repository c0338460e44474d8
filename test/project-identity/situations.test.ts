// Moving, renaming, cloning again and copying a project, with and without git: each situation with real folders and real git.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  collectKnownProjects,
  createPlace,
  formatPlace,
  matchProject,
  type ProjectKey,
  type Sighting,
} from '../../src/project/project.ts';
import { GitLab } from '../support/git-lab.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { gitSituations } from './git-situations.ts';
import { plainSituations, spellings } from './plain-situations.ts';
import type { Situation } from './situation.ts';

describe('the project of a folder', () => {
  it.each(Object.entries({ ...gitSituations, ...plainSituations }))('%s', async (_name, situation) => {
    await holds(situation);
  });

  it.each(Object.entries(spellings))('%s', async (_name, situation) => {
    const folder = createTemporaryFolder('case');
    // Where the file system takes both names for one, the folder is the same, and so is the project.
    const oneFolder = existsSync(folder.toUpperCase());
    await holds(oneFolder ? { ...situation, is: 0, how: 'path', confidence: 'medium', seenHere: true } : situation);
  });
});

async function holds(situation: Situation): Promise<void> {
  const lab = new GitLab();
  const sightings: Sighting[] = [];
  const keys: ProjectKey[] = [];
  const ask = async (name: string) => {
    const evidence = await lab.gather(name);
    return { evidence, match: matchProject(evidence, collectKnownProjects(sightings)) };
  };
  const visited: string[] = [];
  for (const arrange of situation.before) {
    const name = await arrange(lab);
    visited.push(name);
    const { evidence, match } = await ask(name);
    keys.push(match.key);
    // Kept as it is kept with a conversation.
    const meta = JSON.parse(JSON.stringify({ place: formatPlace(createPlace(evidence)) }));
    sightings.push({ project: match.key, meta, activeAt: sightings.length + 1 });
  }
  const name = await situation.after(lab);
  const { match } = await ask(name);
  const { is, how, confidence, alsoFits = [], seenHere = is !== 'new' && visited.includes(name) } = situation;
  expect({ ...match, is: keys.includes(match.key) ? keys.indexOf(match.key) : 'new' }).toEqual({
    key: match.key,
    is,
    how,
    confidence,
    seenHere,
    alsoFits: alsoFits.map((place) => keys[place]),
  });
}
