// continuo team history: the sessions of a team, newest first. The team is named by its file or by its id.
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { listTeamSessions, type TeamSessionRecord } from '../../team/list-sessions.ts';
import { loadTeamFile } from '../../team/team-file/load-team-file.ts';
import type { Context } from '../context.ts';
import { openHomeWithKey } from '../open-home.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { openTeamStorage } from './open-storage.ts';

export async function showHistory(context: Context, given: string): Promise<undefined> {
  const { output, text } = context;
  const isFile = extname(given) !== '' || existsSync(given);
  const teamId = isFile ? (await loadTeamFile(given)).id : given;
  const opened = await openHomeWithKey(context, 'read');
  await using store = opened.store;
  const sessions = await listTeamSessions(store, await openTeamStorage(context, opened), teamId);
  output.result({ team: teamId, sessions: sessions.map(toJson) }, () => []);
  if (output.json) return;
  if (sessions.length === 0) output.note(text.team.noSessions(plainLine(teamId)));
  else output.line(...(await renderSessions(context, sessions)));
}

function toJson({ conversationId, summary, ...record }: TeamSessionRecord): object {
  return { ...record, conversationId: conversationId ?? null, summary: summary ?? null };
}

async function renderSessions(
  { text, style, terminal, now }: Context,
  sessions: readonly TeamSessionRecord[],
): Promise<string[]> {
  const { sessionHeadings: headings } = text.team;
  const columns: Column[] = [
    { heading: headings.id },
    { heading: headings.active, dispensable: 1 },
    { heading: headings.messages, align: 'right', dispensable: 2 },
    { heading: headings.about, flexible: true, dispensable: 3 },
  ];
  const rows = sessions.map(({ sessionId, updatedAt, messages, summary }) => [
    // Whole: an id is taken exactly.
    { text: plainLine(sessionId), paint: style.cyan },
    { text: formatAgo(updatedAt, now(), text.time) },
    { text: String(messages) },
    { text: plainLine(summary ?? ''), paint: style.dim },
  ]);
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  return renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
}
