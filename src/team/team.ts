// Public door `continuo/team`: teams of humans, models and programs that pick up where they left off.
export { ContextManager, type MessageWindow } from './context-manager.ts';
export {
  Coordinator,
  type CoordinatorOptions,
  type SendOptions,
  type SetTeamOptions,
  type TeamSession,
  type TeamStatus,
  type TurnOutcome,
} from './coordinator.ts';
export { findTeamSession, getTeamSession, listTeamSessions, type TeamSessionRecord } from './list-sessions.ts';
export { createModelSpeaker } from './members/model-speaker.ts';
export { createProgramSpeaker } from './members/program-speaker.ts';
export type { Speaker, SpeakerEvent, SpeakerRequest } from './members/speaker.ts';
export { type BuiltPrompt, PromptBuilder, type PromptOptions } from './prompt-builder.ts';
export { type ParsedText, parseMarkers } from './routing/parse-markers.ts';
export type { TodoItem } from './routing/parse-todos.ts';
export { type Addressable, type ResolvedNames, resolveNames } from './routing/resolve-names.ts';
export {
  type AiMember,
  createTeam,
  type HumanMember,
  type ModelMember,
  type ProgramMember,
  type Team,
  type TeamLimits,
  type TeamMember,
} from './team-definition.ts';
export type { TeamEvent, TeamEventOf, TeamListener, Told, WaitReason } from './team-event.ts';
export { loadTeamFile, parseTeamFile } from './team-file/load-team-file.ts';
export { type TeamFile, teamFileSchema } from './team-file/team-schema.ts';
