// The projects whose text stays among themselves, as the settings name them: by key, by path or by name. In doubt one more is private.
import { resolve } from 'node:path';
import type { KnownProject } from '../../project/known-project.ts';
import { readProjectField, splitProjectKey } from '../../project/project-key.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';

/** Every value of a `project` field that is private. */
export function listPrivate({ config }: Pick<Context, 'config'>, known: readonly KnownProject[]): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const named of config()['recall.private_projects'].value ?? []) {
    for (const field of spellings(named)) fields.add(field);
    for (const project of known.filter((each) => isNamed(each, named))) {
      for (const field of [project.key, ...project.fields]) fields.add(field);
    }
  }
  return fields;
}

/** Whether the name may mean this project. */
export function isNamed(project: KnownProject, named: string): boolean {
  const key = readProjectField(named);
  const path = named.startsWith('~/') || named.startsWith('.') ? resolve(named) : named;
  return project.key === key || project.fields.includes(named) || project.paths.includes(path) || project.name === named;
}

/** Names in the settings that no project goes by: most likely misspelt, they protect nothing. Keys and folders may be used later. */
export async function listUnknownPrivate(
  { config }: Pick<Context, 'config'>,
  store: ConversationStore,
  known: readonly KnownProject[],
): Promise<string[]> {
  const unknown: string[] = [];
  for (const named of config()['recall.private_projects'].value ?? []) {
    if (readProjectField(named) !== undefined || /^[.~]/.test(named) || known.some((each) => isNamed(each, named))) continue;
    if ((await store.list({ project: named, trash: 'include', limit: 1 })).items.length === 0) unknown.push(named);
  }
  return unknown;
}

/** A path and its key are the same project. */
function spellings(named: string): string[] {
  const key = readProjectField(named);
  if (key === undefined) return [named];
  const parts = splitProjectKey(key);
  return [named, key, ...('path' in parts ? [parts.path] : [])];
}
