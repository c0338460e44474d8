// What is put before a model about earlier conversations, with the settings in force, and how it is told to people.
import type { ConversationId } from '../../model/id.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { ContextSource } from '../../recall/context/context-source.ts';
import type { PreparedContext } from '../../recall/context/prepare-context.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findOwnName } from '../conversation-view.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenId } from '../output/short-ids.ts';
import type { Here } from './here.ts';

export interface PrepareHere {
  store: ConversationStore;
  recall: Recall;
  here: Here;
  asked: string;
  /** What the model reads anyway. */
  present?: readonly string[];
  except?: ConversationId | undefined;
  signal?: AbortSignal;
}

const longestName = 60;

export async function prepareHere(context: Context, request: PrepareHere): Promise<PreparedContext> {
  const { here, present = [], ...rest } = request;
  const config = context.config();
  const { prepareContext } = await import('../../recall/context/prepare-context.ts');
  return prepareContext({
    ...rest,
    present,
    now: context.now(),
    tokenBudget: tokenBudget(context),
    maxResults: config['conversation.semantic_search.max_results'].value ?? 5,
    similarityThreshold: config['conversation.semantic_search.similarity_threshold'].value ?? 0.7,
    offsetMinutes: localOffset(context.now()),
    hereProject: here.key,
    privateProjects: here.hidden,
  });
}

export function tokenBudget(context: Context): number {
  return context.config()['recall.token_budget'].value ?? 1500;
}

/** Minutes this machine's clock is ahead of UTC. */
export function localOffset(now: number): number {
  return -new Date(now).getTimezoneOffset();
}

/** A source in one line: its name, where and when it was, its id. */
export async function describeSource({ text, now }: Context, store: ConversationStore, source: ContextSource): Promise<string> {
  const conversation = await store.find(source.conversationId);
  const name = plainLine(source.title ?? (conversation && (await findOwnName(store, conversation))) ?? text.search.nameless);
  const short = name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name;
  const project = source.projectName ?? source.project;
  const id = await shortenId(store, source.conversationId);
  return text.recall.source(
    short,
    project === undefined ? undefined : plainLine(project),
    formatAgo(source.at, now(), text.time),
    id,
  );
}
