// Conversations as a table. Columns nobody filled are left out; the title comes last and takes the room that is left.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import { isExcluded } from '../../recall/conversation-marks.ts';
import { readNote } from '../../recall/retention/retention-note.ts';
import type { Context } from '../context.ts';
import { namelessWords, projectLabel } from '../conversation-view.ts';
import { formatAgo } from './moment.ts';
import { plainLine, shortLine } from './plain-text.ts';
import { type Cell, type Column, renderTable } from './table.ts';
import { createRuler } from './text-ruler.ts';

/** Where the output has no width nothing else keeps a line short. */
const longestName = 120;

type Listed = Conversation & { preview?: string };

interface TableColumn extends Column {
  cell(conversation: Listed): Cell;
  isEmpty?(conversation: Listed): boolean;
}

export async function renderConversations(
  context: Context,
  listed: readonly Listed[],
  ids: Map<ConversationId, string>,
): Promise<string[]> {
  const columns = tableColumns(context, ids).filter(({ isEmpty }) => !isEmpty || !listed.every(isEmpty));
  const rows = listed.map((conversation) => columns.map((column) => column.cell(conversation)));
  const ruler = await createRuler([...columns.map(({ heading }) => heading), ...rows.flat().map(({ text }) => text)]);
  return renderTable(columns, rows, { ruler, width: context.terminal.columns, paintHeading: context.style.bold });
}

function tableColumns({ style, text, now }: Context, ids: Map<ConversationId, string>): TableColumn[] {
  const { headings } = text.list;
  const named = (heading: string, field: 'agent' | 'project' | 'team', dispensable: number): TableColumn => ({
    heading,
    narrow: 16,
    dispensable,
    cell: (conversation) => ({ text: plainLine(conversation[field] ?? ''), paint: style.dim }),
    isEmpty: (conversation) => conversation[field] === undefined,
  });
  return [
    { heading: headings.id, cell: ({ id }) => ({ text: ids.get(id) ?? id, paint: style.cyan }) },
    { heading: headings.active, dispensable: 1, cell: ({ activeAt }) => ({ text: formatAgo(activeAt, now(), text.time) }) },
    { heading: headings.entries, align: 'right', dispensable: 2, cell: ({ lastSeq }) => ({ text: String(lastSeq) }) },
    named(headings.agent, 'agent', 3),
    named(headings.team, 'team', 5),
    {
      ...named(headings.project, 'project', 4),
      cell: (conversation) => ({ text: plainLine(projectLabel(conversation) ?? ''), paint: style.dim }),
    },
    { heading: headings.title, flexible: true, cell: (conversation) => titleCell(conversation) },
  ];

  function titleCell(conversation: Listed): Cell {
    const { title, preview, key, pinned, tags, trashedAt } = conversation;
    const marks = [
      ...(pinned ? [text.list.pinnedMark] : []),
      ...(trashedAt === undefined ? [] : [text.list.trashMark]),
      ...(isExcluded(conversation) ? [text.list.excludedMark] : []),
    ];
    // By hand it has no reason to tell; restored and trashed again, the reason is another one's.
    const note = readNote(conversation);
    const reason = note && note.at === trashedAt ? text.cleanup.reasons[note.reason] : undefined;
    if (reason !== undefined) marks.push(`[${reason}]`);
    const name = shortLine(plainLine(title ?? preview ?? key ?? namelessWords(text, conversation)), longestName);
    const words = [...marks, name, ...tags.map((tag) => `#${plainLine(tag)}`)].join(' ');
    return title === undefined ? { text: words, paint: style.dim } : { text: words };
  }
}
