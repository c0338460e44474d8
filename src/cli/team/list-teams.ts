// continuo team list: the team files of this folder, and the teams that have sessions.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isContinuoError } from '../../model/error.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { loadTeamFile } from '../../team/team-file/load-team-file.ts';
import { sessionKey } from '../../team/team-log.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { openHome } from '../open-home.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';

interface ListedTeam {
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
  const { output, style, text } = context;
  const files = await findFiles();
  const teams = new Map<string, ListedTeam>();
  const broken: { file: string; message: string }[] = [];
  for (const file of files) {
    try {
      const { id, name, members } = await loadTeamFile(file);
      teams.set(`${id} ${file}`, { id, name, file, members: members.length, sessions: 0, activeAt: null });
    } catch (error) {
      if (!isContinuoError(error)) throw error;
      broken.push({ file, message: describeError(error, text) });
    }
  }
  await using store = await openHome(context, 'read');
  await countSessions(store, teams);
  const listed = [...teams.values()].sort(
    (first, second) => (second.activeAt ?? 0) - (first.activeAt ?? 0) || (first.id < second.id ? -1 : 1),
  );
  output.result({ teams: listed, broken }, () => []);
  if (output.json) return;
  if (listed.length === 0) output.note(text.team.noTeams);
  else output.line(...(await renderTeams(context, listed)));
  for (const { message } of broken) output.warn(style.yellow(plainLine(message)));
}

async function findFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const { path, pattern } of folders) {
    const names = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of names) if (entry.isFile() && pattern.test(entry.name)) found.push(relative('.', join(path, entry.name)));
  }
  return found.sort();
}

async function countSessions(store: ConversationStore, teams: Map<string, ListedTeam>): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 1000, ...(cursor !== undefined && { cursor }) });
    for (const { team, key, activeAt } of page.items) {
      if (team === undefined || !key?.startsWith(sessionKey(''))) continue;
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
