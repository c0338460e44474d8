// Where something that is put before a model came from: named in every answer, so that a person can look it up.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import { parsePlace } from '../../project/project-place.ts';
import type { OpenWork } from '../summary/open-work.ts';

/** What led to a conversation. */
export type SourceReason =
  | 'content'
  | 'newest'
  | 'newest-here'
  | 'open-work'
  | 'time'
  /** The one that was found went on from it. */
  | 'went-on-from';

export interface ContextSource {
  conversationId: ConversationId;
  title?: string;
  project?: string;
  /** The folder's name, for people. */
  projectName?: string;
  /** When the newest of it was said. */
  at: number;
  /** Strongest first. */
  why: SourceReason[];
  /** What was left unfinished there, the most pressing first. */
  open: OpenWork[];
}

export function toSource(
  conversation: Conversation,
  found: { at: number; why: readonly SourceReason[]; open: readonly OpenWork[] },
): ContextSource {
  const { id, project } = conversation;
  const title = titleOf(conversation);
  const projectName = nameProject(conversation);
  return {
    conversationId: id,
    ...(title !== undefined && { title }),
    ...(project !== undefined && { project }),
    ...(projectName !== undefined && { projectName }),
    at: found.at,
    why: [...found.why],
    open: [...found.open],
  };
}

/** Often made from what was said first: where the text goes after a time, the title is not shown either. */
export function titleOf({ title, policy }: Conversation): string | undefined {
  return policy.kind === 'full' ? title : undefined;
}

/** The name of the folder it was held in; a key that says nothing to people is no name. */
export function nameProject({ project, meta }: Pick<Conversation, 'project' | 'meta'>): string | undefined {
  const place = parsePlace(meta.place);
  if (place) return place.name;
  if (project === undefined || /^(?:git|marker|path:sha256):/.test(project)) return undefined;
  const path = project.replace(/^path:/, '');
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
