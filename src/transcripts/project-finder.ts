// Which project a session belongs to, from the folder it was held in: by what the folder tells while it is still there, by its path else.
// A folder that only looks like a private project is a project of its own, and what was said in it counts as private all the same.
import { basename } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import { type GatherOptions, gatherEvidence } from '../project/gather-evidence.ts';
import { collectKnownProjects, type KnownProject } from '../project/known-project.ts';
import { matchProject } from '../project/match-project.ts';
import { listWithPrivate } from '../project/newest-conversations.ts';
import { formatPathKey, isAbsolutePath } from '../project/project-key.ts';
import { createPlace, formatPlace } from '../project/project-place.ts';
import type { ConversationStore } from '../store/conversation-store.ts';

export interface SessionProject {
  key: string;
  /** For the conversation's `meta`: the place, and that it is not recalled where the folder looks like a private project. */
  meta: JsonObject;
}

export interface ProjectFinderOptions extends Pick<GatherOptions, 'env' | 'home'> {
  /** What private projects are filed under. */
  privateProjects?: ReadonlySet<string> | undefined;
  /** Put on what was said in a folder that only looks like one of them. */
  privateMark?: JsonObject | undefined;
  /** So many of the newest conversations are looked at for the projects there are; those of private projects always. */
  mostLookedAt?: number | undefined;
}

const gitMilliseconds = 2000;

export class ProjectFinder {
  readonly #store: ConversationStore;
  readonly #options: ProjectFinderOptions;
  readonly #found = new Map<string, Promise<SessionProject | undefined>>();
  #known: Promise<KnownProject[]> | undefined;

  constructor(store: ConversationStore, options: ProjectFinderOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  /** Asked once a folder. Undefined where the path means nothing. */
  find(cwd: string): Promise<SessionProject | undefined> {
    const found = this.#found.get(cwd) ?? this.#search(cwd);
    this.#found.set(cwd, found);
    return found;
  }

  async #search(cwd: string): Promise<SessionProject | undefined> {
    if (!isAbsolutePath(cwd)) return undefined;
    const { env, home, privateProjects, privateMark = {}, mostLookedAt } = this.#options;
    const options = { gitMilliseconds, ...(env && { env }), ...(home !== undefined && { home }) };
    const evidence = await gatherEvidence(cwd, options).catch(() => ({ path: cwd, name: basename(cwd) || cwd }));
    this.#known ??= listWithPrivate(this.#store, privateProjects ?? [], mostLookedAt).then(collectKnownProjects);
    const match = matchProject(evidence, await this.#known);
    const isClaimed = match.how !== 'new' && !match.seenHere && privateProjects?.has(match.key) === true;
    const key = isClaimed ? formatPathKey(evidence.path) : match.key;
    const isAlike = isClaimed || (match.how === 'new' && match.alsoFits.some((each) => privateProjects?.has(each)));
    return { key, meta: { place: formatPlace(createPlace(evidence)), ...(isAlike && privateMark) } };
  }
}
