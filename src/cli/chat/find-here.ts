// The conversations of a folder: the newest to go on with, and how many there are to tell about.
import type { Conversation } from '../../model/conversation.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords } from '../conversation-view.ts';
import { findConversation } from '../find-conversation.ts';
import { tellInstead } from '../next-step.ts';
import { formatAgo } from '../output/moment.ts';
import { commonRuler } from '../output/text-ruler.ts';
import { wrapText } from '../output/wrap-text.ts';
import { type Here, listPageOfProject } from '../recall/here.ts';
import { listWithoutSubAgents } from '../transcripts/sub-agents.ts';
import type { Wanted } from './chat-options.ts';

const mostCounted = 100;
const longestName = 60;

/** The stored conversation that is wanted; undefined where a new one is. */
export async function findWanted(
  context: Context,
  store: ConversationStore,
  wanted: Wanted,
  here: Here,
): Promise<Conversation | undefined> {
  if ('begin' in wanted) return undefined;
  if ('named' in wanted) return findConversation(store, wanted.named);
  const [newest] = await listHere(store, here, 1);
  if (newest) return newest;
  const project = here.evidence.path;
  const absent = new ContinuoError('conversation-not-found', { id: 'latest', project });
  throw tellInstead(absent, context.text.chat.nothingHere(project));
}

/** What somebody may want to go on with: no sub-agent's. */
async function listHere(store: ConversationStore, { fields }: Here, limit: number): Promise<Conversation[]> {
  return (await listWithoutSubAgents((query) => listPageOfProject(store, fields, query), { limit })).items;
}

/** A word to a person who begins a new conversation although others of the folder are there to go on with. */
export async function noteHistory(context: Context, store: ConversationStore, here: Here): Promise<void> {
  const { output, terminal, style, text } = context;
  if (!terminal.stderr || output.json || output.quiet) return;
  const items = await listHere(store, here, mostCounted + 1);
  const said = items.filter(({ lastSeq }) => lastSeq > 0);
  const [newest] = said;
  if (!newest) return;
  const name = (await findName(store, newest)) ?? namelessWords(text, newest);
  const short = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  const count = items.length > mostCounted ? `${mostCounted}+` : `${said.length}`;
  const sentences = text.chat.historyHere(count, short, formatAgo(newest.activeAt, context.now(), text.time));
  output.note(
    ...wrapText(sentences, terminal.columns ?? 80, commonRuler)
      .split('\n')
      .map(style.dim),
  );
}
