// list_projects: which projects there were conversations in, the newest first.
import * as z from 'zod';
import { cleanName } from '../../recall/context/clean-quote.ts';
import { formatMoment, quoteLines } from '../../recall/context/quote-history.ts';
import { countAt, formatCursor, parseCursor } from '../cursor.ts';
import { listSeenProjects, type SeenProject } from '../seen-projects.ts';
import { type Call, notice, type ReadTool } from '../server-tool.ts';
import { formatTime } from '../shown-conversation.ts';
import { cursorField } from './tool-schemas.ts';

const name = 'list_projects';
const pageSize = 50;

const input = z.strictObject({ cursor: cursorField.optional() });

const output = z.object({
  notice: z.string(),
  projects: z.array(
    z.object({
      project: z.string(),
      name: z.string(),
      folder: z.string().optional(),
      conversations: z.number(),
      last_active_at: z.string(),
      here: z.boolean().describe('The project you are in.'),
    }),
  ),
  complete: z.boolean(),
  next_cursor: z.string().optional(),
});

export const listProjects: ReadTool<z.infer<typeof input>> = {
  kind: 'read',
  name,
  title: 'List projects with past conversations',
  description:
    'List the projects that past conversations were held in, with their folder and how many conversations there are. Use it to narrow search_conversations and list_conversations to one project.',
  input,
  output,
  run: list,
};

async function list({ cursor }: z.infer<typeof input>, call: Call) {
  const from = cursor === undefined ? 0 : countAt(parseCursor(name, cursor), 0);
  const { projects, isComplete } = await listSeenProjects(call);
  const page = projects.slice(from, from + pageSize);
  const next = projects.length > from + pageSize ? formatCursor(name, [from + pageSize]) : undefined;
  const structured = {
    notice,
    projects: page.map(({ key, name, path, conversations, activeAt, isHere }) => ({
      project: cleanName(key, 1000),
      name,
      ...(path !== undefined && { folder: cleanName(path, 1000) }),
      conversations,
      last_active_at: formatTime(activeAt),
      here: isHere,
    })),
    complete: isComplete,
    ...(next !== undefined && { next_cursor: next }),
  };
  if (page.length === 0) {
    const text = call.outlook.isAbsent
      ? 'Nothing is stored yet: there are no projects.'
      : 'There are no more projects that may be seen from here.';
    return { text, structured };
  }
  const lines = quoteLines(page.map((project) => toLine(project, call)));
  return { text: next === undefined ? lines : `${lines}\nThere are more: call again with cursor "${next}".`, structured };
}

function toLine({ name, key, path, conversations, activeAt, isHere }: SeenProject, { outlook }: Call): string {
  const parts = [
    `"${name}"${isHere ? ' (here)' : ''}`,
    cleanName(path ?? key, 1000),
    `${conversations} ${conversations === 1 ? 'conversation' : 'conversations'}`,
    formatMoment(activeAt, outlook.offsetMinutes),
  ];
  return parts.join(' · ');
}
