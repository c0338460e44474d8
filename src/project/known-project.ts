// The projects a store knows, put together from the places its conversations were held at.
import type { JsonObject } from '../base/json.ts';
import { type ProjectKey, readProjectField, splitProjectKey } from './project-key.ts';
import { type ProjectPlace, parsePlace, readLinkedPlaces, readPlaces } from './project-place.ts';

/** What was seen of a project before. Lists hold no value twice; `paths` begins with the newest. */
export interface KnownProject {
  key: ProjectKey;
  name: string;
  rootCommits: string[];
  mainRoots: string[];
  remotes: string[];
  origins: string[];
  markers: string[];
  paths: string[];
  lastSeen: number;
  conversations: number;
  /** What the `project` field of its conversations holds: the key, or an absolute path written before there were keys. */
  fields: string[];
}

/** A conversation, as far as it says where it was held. */
export interface Sighting {
  project?: string | undefined;
  meta: JsonObject;
  activeAt: number;
}

/** Newest first. Conversations whose project is a name somebody chose, or none, belong to no folder and are left out. */
export function collectKnownProjects(sightings: Iterable<Sighting>): KnownProject[] {
  const projects = new Map<ProjectKey, Sighting[]>();
  for (const sighting of sightings) {
    const key = readProjectField(sighting.project);
    if (key === undefined) continue;
    const seen = projects.get(key);
    if (seen) seen.push(sighting);
    else projects.set(key, [sighting]);
  }
  return [...projects]
    .map(([key, seen]) => putTogether(key, seen))
    .sort((a, b) => b.lastSeen - a.lastSeen || order(a.key, b.key));
}

export interface ProjectDescription {
  key: ProjectKey;
  name: string;
  kind: 'git' | 'marker' | 'path';
  /** Where it was seen last. */
  path?: string;
  otherPaths: string[];
  remote?: string;
  conversations: number;
  lastSeen: number;
}

/** One row of a table of projects. */
export function describeProject(known: KnownProject): ProjectDescription {
  const [path, ...otherPaths] = known.paths;
  const remote = known.origins[0] ?? known.remotes[0];
  return {
    key: known.key,
    name: known.name,
    kind: splitProjectKey(known.key).kind,
    ...(path !== undefined && { path }),
    otherPaths,
    ...(remote !== undefined && { remote }),
    conversations: known.conversations,
    lastSeen: known.lastSeen,
  };
}

function putTogether(key: ProjectKey, seen: readonly Sighting[]): KnownProject {
  const newestFirst = [...seen].sort((a, b) => b.activeAt - a.activeAt);
  const places = newestFirst.flatMap(({ meta }) => readPlaces(meta));
  const parts = splitProjectKey(key);
  const own = (kind: string, value: string | undefined) => (parts.kind === kind && value !== undefined ? [value] : []);
  const rootCommit = 'rootCommit' in parts ? parts.rootCommit : undefined;
  const path = 'path' in parts ? parts.path : undefined;
  const all = (read: (place: ProjectPlace) => readonly (string | undefined)[], ...more: string[]) =>
    [...new Set([...places.flatMap(read), ...more])].filter((value) => value !== undefined);
  const paths = all((place) => [place.path], ...own('path', path));
  return {
    key,
    name: nameOf(newestFirst) ?? paths[0]?.split(/[\\/]/).findLast((part) => part !== '') ?? key,
    rootCommits: all((place) => place.rootCommits, ...own('git', rootCommit)).sort(order),
    mainRoots: all((place) => [place.mainRoot], ...own('git', rootCommit)).sort(order),
    remotes: all((place) => place.remotes).sort(order),
    origins: all((place) => [place.origin]),
    markers: all((place) => [place.marker], ...own('marker', 'id' in parts ? parts.id : undefined)).sort(order),
    paths,
    lastSeen: newestFirst[0]?.activeAt ?? 0,
    conversations: seen.length,
    fields: [...new Set(seen.map(({ project }) => project))].filter((field) => field !== undefined).sort(order),
  };
}

/** Of the folder it was held in last. A folder that somebody linked to it later does not rename it. */
function nameOf(newestFirst: readonly Sighting[]): string | undefined {
  const held = newestFirst.map(({ meta }) => parsePlace(meta.place)).filter((place) => place !== undefined);
  const linked = new Set(newestFirst.flatMap(({ meta }) => readLinkedPlaces(meta)).map(({ path }) => path));
  return (held.find(({ path }) => !linked.has(path)) ?? held.at(-1))?.name;
}

/** By code unit: the same on every machine. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
