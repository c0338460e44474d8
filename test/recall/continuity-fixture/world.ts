// The shape of the continuity fixture: worlds of projects and conversations, and what a person says in one of the projects later on.
// Data only. Times are written on the person's own clock in 2026 ('03-04 14:05'; 2 March 2026 is a Monday).

export interface FixtureProject {
  key: string;
  path: string;
  /** Its text never reaches another project. */
  private?: true;
}

export interface FixtureConversation {
  id: string;
  /** The project's key. */
  project: string;
  title?: string;
  /** When it began; what is said in it follows a minute apart. */
  at: string;
  /** User and assistant in turn, the user first. */
  says: readonly string[];
  /** The last answer was cut off. */
  interrupted?: true;
  /** Taken out of recall by hand. */
  excluded?: true;
}

export type TrapReason = 'unrelated' | 'private' | 'excluded' | 'word';

export interface FixtureSituation {
  id: string;
  /** Where the person is: the project's key. */
  in: string;
  at: string;
  says: string;
  /** What leads to the conversation: its content, pointing, a time, or pointing with some content. Traps have a reason instead. */
  by?: 'content' | 'deixis' | 'time' | 'mixed';
  trap?: TrapReason;
  /** The ids of the conversations that are right; any of them will do. Empty: nothing may be recalled. */
  expect: readonly string[];
}

export interface FixtureWorld {
  name: string;
  language: 'zh' | 'en';
  /** Minutes the person's clock is ahead of UTC. */
  offsetMinutes: number;
  projects: readonly FixtureProject[];
  conversations: readonly FixtureConversation[];
  situations: readonly FixtureSituation[];
}

export interface FixtureMessage {
  role: 'user' | 'assistant';
  text: string;
  /** In milliseconds since 1970. */
  at: number;
  interrupted?: true;
}

/** '03-04 14:05' on the person's clock, in milliseconds since 1970. */
export function momentOf({ offsetMinutes }: FixtureWorld, at: string): number {
  const [month, day, hour, minute] = at.split(/[- :]/).map(Number);
  return Date.UTC(2026, (month ?? 1) - 1, day, hour, minute) - offsetMinutes * 60_000;
}

export function messagesOf(world: FixtureWorld, { at, says, interrupted }: FixtureConversation): FixtureMessage[] {
  return says.map((text, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    text,
    at: momentOf(world, at) + i * 60_000,
    ...(interrupted && i === says.length - 1 && { interrupted }),
  }));
}

/** The conversations that had begun when the person spoke. */
export function conversationsBefore(world: FixtureWorld, situation: FixtureSituation): FixtureConversation[] {
  return world.conversations.filter(({ at }) => momentOf(world, at) < momentOf(world, situation.at));
}

/** The ones of them that may be seen from where the person is. */
export function permittedBefore(world: FixtureWorld, situation: FixtureSituation): FixtureConversation[] {
  const hidden = new Set(
    world.projects.filter((project) => project.private && project.key !== situation.in).map(({ key }) => key),
  );
  return conversationsBefore(world, situation).filter(({ project, excluded }) => !excluded && !hidden.has(project));
}
