// Saved sessions as a table: when, how large, how much was said, what about. What cannot be restored stands there with the reason.
import type { ContinuoError } from '../../model/error.ts';
import type { SavedSession } from '../../snapshot/saved-session-list.ts';
import type { Context } from '../context.ts';
import { describeError, fillSentence } from '../error-report.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { formatSize } from '../output/size.ts';
import { type Cell, type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';

export async function renderSessions(
  context: Context,
  sessions: readonly SavedSession[],
  first: 'number' | 'id',
): Promise<string[]> {
  const { text, style, terminal } = context;
  const { headings } = text.code;
  const columns: Column[] = [
    { heading: headings[first], ...(first === 'number' && { align: 'right' }) },
    { heading: headings.saved },
    { heading: headings.size, align: 'right', dispensable: 3 },
    { heading: headings.messages, align: 'right', dispensable: 2 },
    { heading: headings.branch, narrow: 12, dispensable: 1 },
    { heading: headings.task, flexible: true },
  ];
  const rows = sessions.map((session, at) => toRow(context, session, first === 'number' ? String(at + 1) : session.id));
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  return renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
}

function toRow(context: Context, session: SavedSession, name: string): Cell[] {
  const { text, style, now } = context;
  const { savedAt, bytes, messages, branch = '', task = '', problem, isLegacy } = session;
  const about = [...(isLegacy ? [text.code.legacy] : []), plainLine(task)].filter((part) => part !== '').join(' ');
  return [
    { text: plainLine(name), paint: problem ? style.dim : style.cyan },
    { text: formatAgo(Date.parse(savedAt), now(), text.time) },
    { text: formatSize(bytes), paint: style.dim },
    { text: messages === undefined ? '' : String(messages) },
    { text: plainLine(branch), paint: style.dim },
    problem ? { text: plainLine(describeProblem(context, problem)), paint: style.yellow } : { text: about },
  ];
}

/** In few words where they are known: the file stands beside them. */
export function describeProblem({ text }: Context, problem: ContinuoError): string {
  const brief = Object.hasOwn(text.code.problems, problem.code) ? text.code.problems[problem.code] : undefined;
  return brief === undefined ? describeError(problem, text) : fillSentence(brief, problem.details, text);
}
