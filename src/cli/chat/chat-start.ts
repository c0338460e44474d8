// What a person is told when a talk begins: who answers, what keeps commands in bounds, and which conversation this is.
import { isAbsolute } from 'node:path';
import type { Conversation as ConversationRecord } from '../../model/conversation.ts';
import { parsePlace } from '../../project/project-place.ts';
import type { Conversation } from '../../runtime/conversation.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';
import type { Here } from '../recall/here.ts';
import type { ChatPlan } from './chat-options.ts';
import type { ChatParts } from './chat-parts.ts';

export async function describeStart(
  context: Context,
  store: ConversationStore,
  plan: ChatPlan,
  chat: ChatParts,
  here: Here,
  stored: ConversationRecord | undefined,
  resumed: Conversation | undefined,
): Promise<string[]> {
  const words = context.text.chat;
  const answerer = chat.isOffline ? words.offline : words.model(plainLine(chat.model.id));
  const where =
    stored && resumed
      ? words.resumed(
          await shortenId(store, stored.id),
          formatAgo(stored.activeAt, context.now(), context.text.time),
          stored.lastSeq,
          resumed.history.items,
          resumed.history.tokens,
        )
      : words.begins(plainLine(plan.project));
  const elsewhere = describeElsewhere(context, plan, here, stored);
  return [[answerer, ...describeTools(context, plan, chat)].join(' · '), where, ...(elsewhere === undefined ? [] : [elsewhere])];
}

/** A conversation of another folder goes on here: its files are not the ones at hand. */
export function describeElsewhere(
  { text }: Context,
  { project, tools, model }: ChatPlan,
  here: Here,
  stored: ConversationRecord | undefined,
): string | undefined {
  const usesFiles = tools && model !== undefined;
  if (!usesFiles || stored?.project === undefined || here.fields.includes(stored.project)) return undefined;
  const begun = parsePlace(stored.meta.place)?.path ?? stored.project.replace(/^path:/, '');
  if (begun === project || !isAbsolute(begun)) return undefined;
  return text.chat.otherFolder(plainLine(begun), plainLine(project));
}

function describeTools({ text }: Context, { network }: ChatPlan, { sandbox, isOffline }: ChatParts): string[] {
  const words = text.chat;
  if (isOffline) return [];
  if (sandbox === undefined) return [words.noTools];
  if (sandbox === 'off') return [words.noSandbox(words.sandboxOff)];
  if ('missing' in sandbox) return [words.noSandbox(text.translateReason(sandbox.missing))];
  return [words.sandbox(sandbox.name, network)];
}
