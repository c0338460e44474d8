// A project as people name it: "here", its key, a folder, or its name.
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KnownProject } from '../../project/known-project.ts';
import { isProjectKey, type ProjectKey } from '../../project/project-key.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { usageError } from '../usage-error.ts';
import { fieldsOf, findHere, gatherHere, type Here } from './here.ts';

export interface NamedProject {
  /** A key, or a name that somebody chose. */
  key: string;
  fields: readonly string[];
  name: string;
}

export async function findProject(context: Context, store: ConversationStore, here: Here, named: string): Promise<NamedProject> {
  if (named === 'here') return describe(here.key, here.known, here.evidence.name);
  if (isProjectKey(named)) return describe(named, here.known);
  const folder = findFolder(named);
  const looksLikePath = /^[./~]|[\\/]/.test(named);
  const called = here.known.filter(({ name, paths }) =>
    looksLikePath ? paths.includes(folder ?? resolve(named)) : name === named,
  );
  if (called.length === 1) return describe((called[0] as KnownProject).key, here.known);
  if (called.length > 1) throw usageError(context.text.projects.severalCalled(named, called.map(({ key }) => key).join(', ')));
  if ((await store.list({ project: named, limit: 1 })).items.length > 0) return { key: named, fields: [named], name: named };
  if (folder === undefined) throw usageError(context.text.projects.unknown(named));
  const there = await findHere(context, store, gatherHere(context, folder), { everyProject: true });
  return describe(there.key, there.known, there.evidence.name);
}

function describe(key: ProjectKey, known: readonly KnownProject[], name?: string): NamedProject {
  const project = known.find((each) => each.key === key);
  return { key, fields: fieldsOf(key, known), name: project?.name ?? name ?? key };
}

function findFolder(named: string): string | undefined {
  try {
    const path = resolve(named);
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
