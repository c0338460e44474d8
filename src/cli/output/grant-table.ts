// What a person allowed for good, as a table: the rule, where it holds and until when.
import type { ConversationId } from '../../model/id.ts';
import { type Grant, hasExpired } from '../../runtime/approvals/approval-grants.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { formatAgo, formatMoment } from './moment.ts';
import { plainLine } from './plain-text.ts';
import { shortenIds } from './short-ids.ts';
import { type Column, renderTable } from './table.ts';
import { createRuler } from './text-ruler.ts';

const shortIdLength = 'apv_'.length + 10;

export async function renderGrants(context: Context, store: ConversationStore, grants: readonly Grant[]): Promise<string[]> {
  const { text, style, now, terminal } = context;
  const { headings } = text.approvals;
  const columns: Column[] = [
    { heading: headings.id },
    { heading: headings.rule, flexible: true },
    { heading: headings.scope, dispensable: 2 },
    { heading: headings.given, dispensable: 3 },
    { heading: headings.expires, dispensable: 1 },
  ];
  const conversations = await shortenIds(
    store,
    grants.map(({ heldBy }) => heldBy),
  );
  const rows = grants.map((grant) => [
    { text: shortId(grant, grants), paint: style.cyan },
    { text: formatGrantRule(context, grant) },
    { text: formatScope(context, grant, conversations), paint: style.dim },
    { text: formatAgo(grant.createdAt, now(), text.time), paint: style.dim },
    { text: formatEnd(context, grant), paint: hasExpired(grant, now()) ? style.yellow : style.dim },
  ]);
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  return renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
}

export function formatGrantRule({ text }: Context, { key }: Grant): string {
  const rule = plainLine(key.path.join(' '));
  return key.exact ? text.approvals.exactly(rule) : rule;
}

function formatScope({ text }: Context, { key, heldBy }: Grant, ids: Map<ConversationId, string>): string {
  const id = ids.get(heldBy) ?? heldBy;
  return key.conversation === undefined ? text.approvals.inSession(id) : text.approvals.inConversation(id);
}

function formatEnd({ text, now }: Context, grant: Grant): string {
  const { expiresAt } = grant.key;
  if (expiresAt === undefined) return text.approvals.forever;
  return hasExpired(grant, now()) ? text.approvals.expired : formatMoment(expiresAt);
}

/** Long enough to name no other. */
function shortId({ id }: Grant, all: readonly Grant[]): string {
  let length = shortIdLength;
  while (length < id.length && all.some((other) => other.id !== id && other.id.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}
