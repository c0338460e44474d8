// Whether every private project the settings name is one: a misspelt name protects nothing.
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import { listKnownProjects } from '../recall/here.ts';
import { listUnknownPrivate } from '../recall/private-projects.ts';
import type { Finding } from './finding.ts';

export async function checkPrivateNames(context: Context, store: ConversationStore): Promise<Finding[]> {
  if ((context.config()['recall.private_projects'].value ?? []).length === 0) return [];
  const known = await listKnownProjects(store, { path: context.home, name: context.home }, Number.POSITIVE_INFINITY);
  const unknown = await listUnknownPrivate(context, store, known);
  if (unknown.length === 0) return [];
  const message = context.text.projects.unknownPrivate(plainLine(unknown.join(', ')));
  return [{ check: 'settings', status: 'problem', code: 'unknown-private-project', message }];
}
