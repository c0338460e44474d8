// Which of the known projects a folder is. Two different projects are never taken for one because of a likeness: where the evidence
// contradicts itself the folder is a new project, and the ones it might be are named beside it, for a person to decide.
import type { ProjectEvidence } from './gather-evidence.ts';
import type { KnownProject } from './known-project.ts';
import { formatPathKey, formatProjectKey, formatSuccessorKey, type ProjectKey } from './project-key.ts';
import { isNetworkRemote, repositoryName } from './remote-url.ts';

export interface ProjectMatch {
  key: ProjectKey;
  how: 'root-commit' | 'marker' | 'remote' | 'path' | 'new';
  /** `high`: nothing else is likely. `medium`: nothing speaks against it. `low`: the folder itself says nothing more. */
  confidence: 'high' | 'medium' | 'low';
  /** Other known projects that something speaks for. */
  alsoFits: ProjectKey[];
  /**
   * Whether the project was at this very path before. Everything else a folder can claim: an archive somebody sends can hold the
   * settings of any repository. What is private should wait for a person's word where this is false.
   */
  seenHere: boolean;
}

/**
 * In this order: a shared beginning of the history; the marker; the origin, where it is one project's alone; the path, unless
 * something else lies there now. Three decisions a likeness alone could not make:
 * - A copy, a fork and a second clone are the project. A project begun from another with its history is not, which shows in remotes
 *   that have nothing in common, not even the repository's name, unless the folder is where the project was.
 * - A library that was merged in does not make its own folder part of the project that took it.
 * - Two markers are two projects, also with one history: each is there because somebody asked for it.
 */
export function matchProject(evidence: ProjectEvidence, known: readonly KnownProject[]): ProjectMatch {
  const all = known.map((project) => compare(evidence, project)).sort(betterFirst);
  const choice = matchByRoot(all) ?? matchByMarker(all) ?? matchByRemote(all) ?? matchByPath(all);
  const fits = all.filter(({ root, marker, remote, path, sharesRoot }) => root || marker || remote || path || sharesRoot);
  const alsoFits = fits.filter(({ project }) => project !== choice?.project).map(({ project }) => project.key);
  if (!choice)
    return {
      key: createKey(evidence, known),
      how: 'new',
      confidence: fits.length > 0 ? 'low' : 'high',
      alsoFits,
      seenHere: false,
    };
  const seenHere = choice.project.paths.includes(evidence.path);
  return { key: choice.project.key, how: choice.how, confidence: choice.confidence, alsoFits, seenHere };
}

/** How a folder and a known project stand to each other. */
interface Comparison {
  project: KnownProject;
  /**
   * Each one's history holds the commit the other's own line begins with, or the folder is a worktree of the project. A shared root
   * alone may come from a library that was merged in.
   */
  root: boolean;
  sharesRoot: boolean;
  /** Both have commits, and none in common. */
  rootsDiffer: boolean;
  /** Both have commits, and the project's own line is none of the folder's, nor one it had before it was rewritten. */
  lineDiffers: boolean;
  keepsLine: boolean;
  /** The project goes by the folder's own root commit. */
  namesake: boolean;
  marker: boolean;
  markersDiffer: boolean;
  /** Fetched from the same place. */
  origin: boolean;
  /** Where the project was fetched from is at least one of the folder's remotes. */
  keepsOrigin: boolean;
  remote: boolean;
  /** Both have remotes, none in common and none called alike: no fork, and not merely moved to another server. */
  renamed: boolean;
  path: boolean;
  /** The project has better signs than its path, was seen elsewhere since, and the folder has none of them. */
  movedAway: boolean;
  /** The folder has no sign of a kind the project has, or the other way round. */
  signsChanged: boolean;
}

type Choice = { project: KnownProject } & Pick<ProjectMatch, 'how' | 'confidence'>;

function matchByRoot(all: readonly Comparison[]): Choice | undefined {
  const fitting = all.filter((one) => one.root && !one.markersDiffer && (!one.renamed || one.path || one.marker));
  const [best, next] = fitting;
  if (!best) return undefined;
  const clear = !next || rank(best) > rank(next);
  return { project: best.project, how: 'root-commit', confidence: clear ? 'high' : 'medium' };
}

function matchByMarker(all: readonly Comparison[]): Choice | undefined {
  const best = all.find((one) => one.marker && (!one.rootsDiffer || one.path || one.keepsOrigin));
  return best && { project: best.project, how: 'marker', confidence: 'high' };
}

/** For shallow clones, which do not know where their history begins, and for rewritten histories. */
function matchByRemote(all: readonly Comparison[]): Choice | undefined {
  const fitting = all.filter((one) => one.origin && !one.markersDiffer);
  const here = fitting.filter((one) => one.path);
  const best = fitting.length === 1 ? fitting[0] : here.length === 1 ? here[0] : undefined;
  return best && { project: best.project, how: 'remote', confidence: best.path ? 'high' : 'medium' };
}

function matchByPath(all: readonly Comparison[]): Choice | undefined {
  const fitting = all.filter((one) => one.path && !one.movedAway && !contradicts(one));
  const [newest] = fitting.sort((a, b) => b.project.lastSeen - a.project.lastSeen);
  return newest && { project: newest.project, how: 'path', confidence: newest.signsChanged ? 'low' : 'medium' };
}

/** Something else was put where the project was. */
function contradicts({ markersDiffer, lineDiffers, keepsLine, renamed, keepsOrigin }: Comparison): boolean {
  return markersDiffer || (renamed && !keepsLine) || (lineDiffers && !keepsOrigin);
}

function compare({ git, gitProblem, marker, path }: ProjectEvidence, project: KnownProject): Comparison {
  const roots = git?.rootCommits ?? [];
  const mainRoots = git?.mainRoot === undefined ? roots : [git.mainRoot];
  const remotes = git?.remotes ?? [];
  // A clone of a folder on this machine names that folder as its origin.
  const theirRemotes = [...project.remotes, ...project.paths];
  const theirMainRoots = project.mainRoots.length > 0 ? project.mainRoots : project.rootCommits;
  const theirSigns = project.rootCommits.length > 0 || project.markers.length > 0 || project.remotes.length > 0;
  const unreadable = gitProblem !== undefined || git?.incomplete === true;
  const signs = roots.length > 0 || remotes.length > 0 || marker !== undefined;
  const sharesRoot = overlap(roots, project.rootCommits);
  const remote = overlap(remotes, theirRemotes);
  const network = remotes.filter(isNetworkRemote);
  const theirNetwork = project.remotes.filter(isNetworkRemote);
  const namedAlike = overlap(network.map(repositoryName), theirNetwork.map(repositoryName));
  const keepsLine = overlap(theirMainRoots, roots);
  const worktree = git?.mainPath !== undefined && project.paths.includes(git.mainPath);
  const bothHaveRoots = roots.length > 0 && project.rootCommits.length > 0;
  const isHere = project.paths.includes(path);
  const marked = marker !== undefined && project.markers.includes(marker);
  return {
    project,
    root: keepsLine && (overlap(mainRoots, project.rootCommits) || worktree),
    sharesRoot,
    rootsDiffer: bothHaveRoots && !sharesRoot,
    keepsLine,
    lineDiffers: bothHaveRoots && !keepsLine,
    namesake: git?.mainRoot !== undefined && project.key === formatProjectKey({ kind: 'git', rootCommit: git.mainRoot }),
    marker: marked,
    markersDiffer: marker !== undefined && project.markers.length > 0 && !marked,
    origin: git?.origin !== undefined && [...project.origins, ...project.paths].includes(git.origin),
    keepsOrigin: overlap(remotes, project.origins),
    remote,
    renamed: !remote && network.length > 0 && theirNetwork.length > 0 && !namedAlike,
    path: isHere,
    movedAway: isHere && !signs && !unreadable && theirSigns && project.paths[0] !== path,
    signsChanged: signs !== theirSigns,
  };
}

/** What decides between projects that fit alike; a marker is there because somebody asked for it. */
function rank({ marker, path, origin, remote }: Comparison): number {
  return (marker ? 8 : 0) + (path ? 4 : 0) + (origin ? 2 : 0) + (remote ? 1 : 0);
}

function betterFirst(a: Comparison, b: Comparison): number {
  const namesakes = Number(b.namesake) - Number(a.namesake);
  return rank(b) - rank(a) || namesakes || b.project.lastSeen - a.project.lastSeen || (a.project.key < b.project.key ? -1 : 1);
}

/** The best name the evidence has that no known project goes by. */
function createKey({ git, marker, path }: ProjectEvidence, known: readonly KnownProject[]): ProjectKey {
  const taken = new Set(known.map(({ key }) => key));
  const root = git?.mainRoot ?? git?.rootCommits[0];
  const wanted = [
    ...(root === undefined ? [] : [formatProjectKey({ kind: 'git', rootCommit: root })]),
    ...(marker === undefined ? [] : [formatProjectKey({ kind: 'marker', id: marker })]),
    formatPathKey(path),
  ];
  const free = wanted.find((key) => !taken.has(key));
  if (free !== undefined) return free;
  const facts = [marker ?? '', ...(git?.rootCommits ?? []), ...(git?.remotes ?? [])];
  for (let attempt = 0; ; attempt += 1) {
    const key = formatSuccessorKey(path, [...facts, `${attempt}`]);
    if (!taken.has(key)) return key;
  }
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((value) => others.includes(value));
}
