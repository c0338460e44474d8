// What a new conversation of a folder is made with, at the moment its first word is said: a folder without git gets its marker, and a
// folder that looks like a private project counts as private itself, until somebody says otherwise. Each is told in one line. Invariant:
// the name of that project is told to the person alone; an agent in such a folder must not learn of it.
import type { JsonObject } from '../../base/json.ts';
import { configPath, loadConfigFile } from '../../config/config-file.ts';
import { setSetting } from '../../config/edit-config.ts';
import type { NewConversation } from '../../model/conversation.ts';
import { markFolder } from '../../project/mark-folder.ts';
import { createPlace, formatPlace } from '../../project/project-place.ts';
import { exclusionMark } from '../../recall/conversation-marks.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Here, listKnownProjects, nameOf } from './here.ts';

export async function beginHere(
  context: Context,
  store: ConversationStore,
  here: Here,
  fresh: NewConversation,
  tell: (line: string) => void,
  reader: 'person' | 'agent' = 'agent',
): Promise<NewConversation> {
  // First what keeps the words in, then what finds them again.
  const { resembles } = here;
  const like = resembles !== undefined && reader === 'person' ? plainLine(nameOf(resembles, here.known)) : undefined;
  const closed = resembles === undefined ? {} : await keepPrivate(context, here, like, tell);
  const place = await markHere(context, store, here, tell);
  return { ...fresh, project: here.key, meta: { ...fresh.meta, place, ...closed } };
}

/** Where the settings cannot say it, the conversation itself does: no search finds it, no chat quotes it. */
async function keepPrivate(
  context: Context,
  here: Here,
  like: string | undefined,
  tell: (line: string) => void,
): Promise<JsonObject> {
  const words = context.text.projects;
  const file = configPath(context.home);
  const isOverruled = context.config()['recall.private_projects'].origin.from === 'environment';
  try {
    if (isOverruled) throw new Error('the environment has the last word');
    const { 'recall.private_projects': setting } = await loadConfigFile(file);
    const listed = (setting?.value ?? []) as readonly string[];
    if (listed.includes(here.key)) return {};
    await setSetting(file, 'recall.private_projects', [...listed, here.key]);
    tell(words.countsAsPrivate(like, plainLine(here.key)));
    return {};
  } catch {
    tell(words.leftOut(like));
    return exclusionMark(true);
  }
}

async function markHere(
  context: Context,
  store: ConversationStore,
  { evidence, place }: Here,
  tell: (line: string) => void,
): Promise<JsonObject> {
  if (context.config()['projects.marker'].value === false) return place;
  const { HOME: home } = context.env;
  const known = () => listKnownProjects(store, evidence);
  const mark = await markFolder(evidence, { spared: [context.home], known, ...(home !== undefined && { home }) });
  if (!mark) return place;
  if (mark.written) tell(context.text.projects.marked(plainLine(mark.file)));
  return formatPlace(createPlace({ ...evidence, marker: mark.id }));
}
