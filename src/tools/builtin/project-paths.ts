// Where a path given by a model really leads. Invariant: links are resolved first, so that a link inside the project which points
// outside counts as outside; and what needs permission is touched only if it still leads where it led when permission was asked.
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import type { ToolAccess } from '../../model/ports/tool.ts';
import { findSecretPlace } from './secret-place.ts';

export interface Place {
  /** The path with every link resolved. It need not exist. */
  real: string;
  /** How to call it: relative to the project where it is inside, absolute otherwise. Forward slashes. */
  name: string;
  /** The name in parts; none for the project itself. */
  segments: string[];
  inside: boolean;
  /** Why it is always asked about, where it is. */
  secret?: string;
}

const maxLinks = 40;
const placesKept = 10_000;

export class ProjectPaths {
  readonly #root: string;
  /** What was asked about: verb and path as given, and where that led then. */
  readonly #asked = new Map<string, string>();

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** The project's own folder, links resolved. */
  async root(): Promise<string> {
    return realpath(this.#root);
  }

  async locate(given: string): Promise<Place> {
    const root = await this.root();
    const lexical = resolve(root, given);
    const real = await resolveLinks(lexical, maxLinks);
    const inside = isWithin(root, real);
    const segments = (inside ? relative(root, real) : real).split(sep).filter((segment) => segment !== '');
    const place: Place = { real, segments, inside, name: inside ? segments.join('/') || '.' : real.replaceAll(sep, '/') };
    const asWritten = relative(root, lexical).split(sep);
    const secret = findSecretPlace(segments) ?? findSecretPlace(asWritten);
    if (secret !== undefined) place.secret = secret;
    return place;
  }

  async askToRead(given: string, summarize: (name: string) => string): Promise<ToolAccess> {
    const place = await this.locate(given);
    this.#remember('read', given, place);
    const access: ToolAccess = { needs: place.inside ? [] : [['read_file', ...place.segments]], summary: summarize(place.name) };
    return place.secret === undefined ? access : { ...access, needs: needsOf('read_file', place), askAlways: place.secret };
  }

  async askToWrite(given: string, summarize: (name: string) => string): Promise<ToolAccess> {
    const place = await this.locate(given);
    this.#remember('write', given, place);
    const askAlways = place.secret ?? (place.inside ? undefined : 'this is outside of the project');
    const access: ToolAccess = { needs: needsOf('write_file', place), summary: summarize(place.name) };
    return askAlways === undefined ? access : { ...access, askAlways };
  }

  /** Where to read. `unsafe-path` if it needs permission and this was not asked for, or leads somewhere else by now. */
  async forReading(given: string): Promise<Place> {
    const place = await this.locate(given);
    if (!place.inside || place.secret !== undefined) this.#assertAsked('read', given, place);
    return place;
  }

  /** Where to write; the same. */
  async forWriting(given: string): Promise<Place> {
    const place = await this.locate(given);
    this.#assertAsked('write', given, place);
    return place;
  }

  #remember(verb: string, given: string, place: Place): void {
    const key = `${verb} ${given}`;
    this.#asked.delete(key);
    this.#asked.set(key, place.real);
    for (const oldest of this.#asked.keys()) {
      if (this.#asked.size <= placesKept) break;
      this.#asked.delete(oldest);
    }
  }

  #assertAsked(verb: string, given: string, place: Place): void {
    const asked = this.#asked.get(`${verb} ${given}`);
    if (asked === place.real) return;
    const reason = asked === undefined ? 'nobody was asked about it' : 'it leads somewhere else than when permission was asked';
    throw new ContinuoError('unsafe-path', { path: given, reason });
  }
}

/** The words of a permission for a place. The project itself has no segments of its own. */
function needsOf(verb: string, place: Place): string[][] {
  return [[verb, ...(place.segments.length > 0 ? place.segments : ['.'])]];
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path with all links resolved as far as it exists, dangling links included. */
async function resolveLinks(path: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = await resolveLinks(parent, linksLeft);
  const entry = join(folder, basename(path));
  const found = await lstat(entry).catch(() => undefined);
  if (!found?.isSymbolicLink()) return entry;
  if (linksLeft === 0) throw new ContinuoError('unsafe-path', { path, reason: 'too many symbolic links' });
  return resolveLinks(resolve(folder, await readlink(entry)), linksLeft - 1);
}
