// What a skill is handed: the conversation it works in, and a place for what it has to say to people.
import type { ConversationContext } from '../../recall/context/conversation-context.ts';

export interface SkillContext {
  conversationContext(): ConversationContext;
  logInfo(text: string): void;
}

export function createSkillContext(conversationCtx: ConversationContext, onInfo?: (text: string) => void): SkillContext {
  return { conversationContext: () => conversationCtx, logInfo: (text) => onInfo?.(text) };
}
