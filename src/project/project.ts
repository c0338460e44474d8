// Public door `continuo/project`: which project a folder is, wherever it was moved to.
export { type GatherOptions, gatherEvidence, type ProjectEvidence } from './gather-evidence.ts';
export type { GitEvidence, GitProblem } from './git-evidence.ts';
export {
  collectKnownProjects,
  describeProject,
  type KnownProject,
  type ProjectDescription,
  type Sighting,
} from './known-project.ts';
export { type FolderMark, type MarkOptions, markFolder } from './mark-folder.ts';
export { type FoundMarker, findMarker, markerFileName, readMarker, writeMarker } from './marker.ts';
export { matchProject, type ProjectMatch } from './match-project.ts';
export {
  formatPathKey,
  formatProjectKey,
  isProjectKey,
  type ProjectKey,
  type ProjectKeyParts,
  parseProjectKey,
  readProjectField,
  splitProjectKey,
} from './project-key.ts';
export { createPlace, formatPlace, linkPlace, type ProjectPlace, parsePlace, readPlaces } from './project-place.ts';
export { normaliseRemote } from './remote-url.ts';
