// The projects whose conversations may be seen, put together from those alone: a project is not named because of what is hidden.
import { collectKnownProjects, type KnownProject } from '../project/known-project.ts';
import { isProjectKey, readProjectField, splitProjectKey } from '../project/project-key.ts';
import { cleanName } from '../recall/context/clean-quote.ts';
import { toProjectKey } from '../recall/visibility.ts';
import { listSeen } from './seen-conversations.ts';
import { type Call, Refusal } from './server-tool.ts';

export interface SeenProject {
  /** A key, or a name somebody chose. */
  key: string;
  name: string;
  path?: string;
  fields: readonly string[];
  conversations: number;
  activeAt: number;
  isHere: boolean;
}

/** So many conversations are looked at, newest first. */
const mostLookedAt = 5000;

export async function listSeenProjects(call: Call): Promise<{ projects: SeenProject[]; isComplete: boolean }> {
  const { items, next } = await listSeen(call, { limit: mostLookedAt });
  const inFolders = collectKnownProjects(await Promise.all(items.map(({ conversation }) => call.visibility.shown(conversation))));
  const named = new Map<string, SeenProject>();
  for (const { conversation } of items) {
    const { project, activeAt } = conversation;
    if (project === undefined || readProjectField(project) !== undefined) continue;
    const known = named.get(project);
    if (known) known.conversations += 1;
    else {
      const isHere = call.outlook.here.fields.includes(project);
      named.set(project, { key: project, name: cleanName(project), fields: [project], conversations: 1, activeAt, isHere });
    }
  }
  const projects = [...inFolders.map((known) => toSeen(call, known)), ...named.values()];
  return { projects: projects.sort((a, b) => b.activeAt - a.activeAt), isComplete: next === undefined };
}

/** What a caller's word for a project is filed under: "here", a key, a folder or a name. */
export async function findFields(call: Call, named: string): Promise<readonly string[]> {
  const { here } = call.outlook;
  if (named === 'here' || named === here.key) return here.fields;
  const spelled = spellingsOf(named);
  if (isProjectKey(named) && (await isSeen(call, spelled))) return spelled;
  const { projects, isComplete } = await listSeenProjects(call);
  const found = projects.filter(
    ({ key, name, path, fields }) => key === named || name === named || path === named || fields.includes(named),
  );
  if (found.length > 0) return found.flatMap(({ fields }) => fields);
  // Too old to be among those that were looked at.
  if (!isComplete && (await isSeen(call, spelled))) return spelled;
  throw new Refusal(
    `No project "${cleanName(named)}" is known here. list_projects names those there are; "here" is the present one.`,
  );
}

/** What is hidden is not even looked for: how long that takes would tell of it. */
async function isSeen(call: Call, fields: readonly string[]): Promise<boolean> {
  if (fields.some((field) => call.visibility.hidden.has(toProjectKey(field)))) return false;
  return (await listSeen(call, { fields, limit: 1 })).items.length > 0;
}

/** A key of a path is the plain path as well. */
function spellingsOf(named: string): readonly string[] {
  const parts = isProjectKey(named) ? splitProjectKey(named) : undefined;
  return parts && 'path' in parts ? [named, parts.path] : [named];
}

function toSeen({ outlook: { here } }: Call, known: KnownProject): SeenProject {
  const [path] = known.paths;
  return {
    key: known.key,
    name: cleanName(known.name),
    ...(path !== undefined && { path }),
    fields: known.fields,
    conversations: known.conversations,
    activeAt: known.lastSeen,
    isHere: known.key === here.key || known.fields.some((field) => here.fields.includes(field)),
  };
}
