// A team as it works: every name filled in, every limit known. Made from a team file, or by hand.
import type { MemberFile, TeamFile } from './team-file/team-schema.ts';

interface MemberBase {
  id: string;
  name: string;
  displayName: string;
  role?: string;
}

interface AiBase extends MemberBase {
  instructions?: string;
  /** Milliseconds for one turn. */
  timeout: number;
}

export type HumanMember = MemberBase & { kind: 'human' };
export type ModelMember = AiBase & { kind: 'model'; model?: string; baseUrl?: string; maxOutputTokens?: number };
export type ProgramMember = AiBase & Omit<Extract<MemberFile, { kind: 'program' }>, keyof AiBase | 'timeoutSeconds'>;
export type AiMember = ModelMember | ProgramMember;
export type TeamMember = HumanMember | AiMember;

export interface TeamLimits {
  maxRounds: number;
  windowTokens: number;
  maxAnswerCharacters: number;
  /** Also saves after so many messages of one turn. */
  saveEvery?: number;
}

export interface Team {
  id: string;
  name: string;
  description?: string;
  /** What a new session begins with. */
  task?: string;
  instructions?: string;
  members: readonly TeamMember[];
  /** Ids of those who answer where nobody is addressed. */
  order: readonly string[];
  limits: TeamLimits;
}

const defaults = { maxRounds: 5, memberTimeoutSeconds: 600, windowTokens: 24_000, maxAnswerCharacters: 200_000 };

export function createTeam(file: TeamFile): Team {
  const limits = { ...defaults, ...withoutUndefined(file.limits ?? {}) };
  const members = file.members.map((member) => createMember(member, limits.memberTimeoutSeconds));
  const { id, description, task, instructions } = file;
  return {
    id,
    name: file.name ?? id,
    ...withoutUndefined({ description, task, instructions }),
    members,
    order: file.order ?? members.filter(({ kind }) => kind !== 'human').map((member) => member.id),
    limits: {
      maxRounds: limits.maxRounds,
      windowTokens: limits.windowTokens,
      maxAnswerCharacters: limits.maxAnswerCharacters,
      ...(limits.saveEvery !== undefined && { saveEvery: limits.saveEvery }),
    },
  };
}

export function findMember(team: Team, id: string): TeamMember | undefined {
  return team.members.find((member) => member.id === id);
}

/** The human who is asked where none is named. */
export function firstHuman(team: Team): HumanMember | undefined {
  return team.members.find((member): member is HumanMember => member.kind === 'human');
}

function createMember(file: MemberFile, timeoutSeconds: number): TeamMember {
  const name = file.name ?? file.id;
  const named = { ...withoutUndefined(file), name, displayName: file.displayName ?? name };
  if (named.kind === 'human') return named as HumanMember;
  const { timeoutSeconds: own, ...member } = named as typeof named & { timeoutSeconds?: number };
  return { ...member, timeout: (own ?? timeoutSeconds) * 1000 } as AiMember;
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
