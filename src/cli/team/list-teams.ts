// continuo team list: the team files of this folder, and the teams that have sessions.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isContinuoError } from '../../model/error.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Team } from '../../team/team-definition.ts';
import { loadTeamFile } from '../../team/team-file/load-team-file.ts';
import { sessionKey } from '../../team/team-log.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { openHome } from '../open-home.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';

export interface ListedTeam {
  id: string;
  name: string | null;
  file: string | null;
  members: number | null;
  sessions: number;
  activeAt: number | null;
}

const fileName = /^(?:.*[.-])?team\.(?:json|toml)$/i;
const folders: readonly { path: string; pattern: RegExp }[] = [
  { path: '.', pattern: fileName },
  { path: 'teams', pattern: /\.(?:json|toml)$/i },
];

export async function listTeams(context: Context): Promise<undefined> {
  await using store = await openHome(context, 'read');
  const found = await collectTeams(context, store);
  if (context.output.json) context.output.result(found, () => []);
  else await printTeams(context, found);
}

export interface FoundTeams {
  /** The one that was active last first. */
  teams: ListedTeam[];
  /** Files that are none, and why. */
  broken: { file: string; message: string }[];
}

/** The teams of this folder's files, and those that have sessions. */
export async function collectTeams({ text }: Context, store: ConversationStore): Promise<FoundTeams> {
  const teams = new Map<string, ListedTeam>();
  const broken: FoundTeams['broken'] = [];
  for (const file of await findTeamFiles()) {
    try {
      const { id, name, members } = await loadTeamFile(file);
      teams.set(`${id} ${file}`, { id, name, file, members: members.length, sessions: 0, activeAt: null });
    } catch (error) {
      if (!isContinuoError(error)) throw error;
      broken.push({ file, message: describeError(error, text) });
    }
  }
  await countSessions(store, teams);
  const listed = [...teams.values()].sort(
    (first, second) => (second.activeAt ?? 0) - (first.activeAt ?? 0) || (first.id < second.id ? -1 : 1),
  );
  return { teams: listed, broken };
}

export async function printTeams(context: Context, { teams, broken }: FoundTeams): Promise<void> {
  const { output, style, text } = context;
  if (teams.length === 0) output.note(text.team.noTeams);
  else output.line(...(await renderTeams(context, teams)));
  for (const { message } of broken) output.warn(style.yellow(plainLine(message)));
}

/** Files of this folder that look like those of teams. */
export async function findTeamFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const { path, pattern } of folders) {
    const names = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of names) if (entry.isFile() && pattern.test(entry.name)) found.push(relative('.', join(path, entry.name)));
  }
  return found.sort();
}

/** The file of this folder that holds the team of that id. */
export async function findTeamFile(id: string): Promise<{ file: string; team: Team } | undefined> {
  for (const file of await findTeamFiles()) {
    const team = await loadTeamFile(file).catch(() => undefined);
    if (team?.id === id) return { file, team };
  }
  return undefined;
}

async function countSessions(store: ConversationStore, teams: Map<string, ListedTeam>): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 1000, ...(cursor !== undefined && { cursor }) });
    for (const { team, key, activeAt, lastSeq } of page.items) {
      // Where nothing is kept there is no session to go on with.
      if (team === undefined || !key?.startsWith(sessionKey('')) || lastSeq === 0) continue;
      const same = [...teams.values()].filter(({ id }) => id === team);
      if (same.length === 0) teams.set(team, { id: team, name: null, file: null, members: null, sessions: 1, activeAt });
      for (const each of same) {
        each.sessions += 1;
        each.activeAt = Math.max(each.activeAt ?? 0, activeAt);
      }
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function renderTeams({ text, style, terminal, now }: Context, teams: readonly ListedTeam[]): Promise<string[]> {
  const { teamHeadings: headings } = text.team;
  const columns: Column[] = [
    { heading: headings.id },
    { heading: headings.sessions, align: 'right' },
    { heading: headings.active, dispensable: 1 },
    { heading: headings.members, align: 'right', dispensable: 3 },
    { heading: headings.file, dispensable: 2 },
    { heading: headings.name, flexible: true },
  ];
  const rows = teams.map(({ id, name, file, members, sessions, activeAt }) => [
    { text: plainLine(id), paint: style.cyan },
    { text: String(sessions) },
    { text: activeAt === null ? '' : formatAgo(activeAt, now(), text.time) },
    { text: members === null ? '' : String(members) },
    { text: plainLine(file ?? ''), paint: style.dim },
    { text: plainLine(name ?? '') },
  ]);
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  return renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
}
