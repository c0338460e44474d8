// Where a conversation was held, as it is kept in `conversation.meta.place`: what a project can be recognised by later, and no secret.
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { ProjectEvidence } from './gather-evidence.ts';
import { isAbsolutePath, isCommit, isMarkerId } from './project-key.ts';
import { normaliseRemote } from './remote-url.ts';

export interface ProjectPlace {
  path: string;
  name: string;
  rootCommits: string[];
  mainRoot?: string;
  remotes: string[];
  origin?: string;
  marker?: string;
}

export function createPlace({ path, name, git, marker }: ProjectEvidence): ProjectPlace {
  return {
    path,
    name,
    rootCommits: git?.rootCommits ?? [],
    ...(git?.mainRoot !== undefined && { mainRoot: git.mainRoot }),
    remotes: git?.remotes ?? [],
    ...(git?.origin !== undefined && { origin: git.origin }),
    ...(marker !== undefined && { marker }),
  };
}

/** The place as JSON. Remotes are cleaned once more, whoever made the place. */
export function formatPlace(place: ProjectPlace): JsonObject {
  const { path, name, rootCommits, mainRoot, remotes, origin, marker } = readPlace(place);
  return {
    path,
    name,
    rootCommits,
    ...(mainRoot !== undefined && { mainRoot }),
    remotes,
    ...(origin !== undefined && { origin }),
    ...(marker !== undefined && { marker }),
  };
}

/** The place in the JSON; fields that are not what they should be are left out. Undefined where there is no absolute path in it. */
export function parsePlace(value: JsonValue | undefined): ProjectPlace | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return typeof value.path === 'string' && isAbsolutePath(value.path) ? readPlace(value) : undefined;
}

/**
 * What to merge into the `meta` of a conversation to say that its project is at this place too (`relink`): earlier links stay, newest
 * first. {@link readPlaces} finds them again.
 */
export function linkPlace(meta: JsonObject, place: ProjectPlace): JsonObject {
  const earlier = readLinkedPlaces(meta).filter(({ path }) => path !== place.path);
  return { linkedPlaces: [place, ...earlier].slice(0, mostLinked).map(formatPlace) };
}

/** Every place a conversation knows of, newest first: those it was linked to, and where it was held before that. */
export function readPlaces(meta: JsonObject): ProjectPlace[] {
  const held = parsePlace(meta.place);
  return [...readLinkedPlaces(meta), ...(held ? [held] : [])];
}

const mostLinked = 50;
const mostValues = 64;

/** The places it was linked to (`relink`), newest first. */
export function readLinkedPlaces(meta: JsonObject): ProjectPlace[] {
  const list = Array.isArray(meta.linkedPlaces) ? meta.linkedPlaces.slice(0, mostLinked) : [];
  return list.map(parsePlace).filter((place) => place !== undefined);
}

function readPlace(value: { path?: unknown; [field: string]: unknown } | ProjectPlace): ProjectPlace {
  const { path, name, rootCommits, mainRoot, remotes, origin, marker } = value as Record<string, unknown>;
  const mainRemote = cleanRemotes([origin])[0];
  return {
    path: path as string,
    name: typeof name === 'string' && name !== '' ? name : (path as string),
    rootCommits: [...new Set([...listOf(rootCommits), mainRoot].filter(isCommit))].sort(),
    ...(isCommit(mainRoot) && { mainRoot }),
    remotes: [...new Set(cleanRemotes([origin, ...listOf(remotes)]))].sort(),
    ...(mainRemote !== undefined && { origin: mainRemote }),
    ...(isMarkerId(marker) && { marker }),
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, mostValues) : [];
}

function cleanRemotes(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value !== 'string') return [];
    const clean = isNormalised(value) ? value : normaliseRemote(value);
    return clean === undefined ? [] : [clean];
  });
}

/** `host/path`, which read as an address once more would be a relative path. */
function isNormalised(value: string): boolean {
  return /^(?:[^\s/:@\\]+|\[[0-9a-f:]+\])\/[^?#]+$/.test(value) && !value.includes('://') && !/[^/]@/.test(value);
}
