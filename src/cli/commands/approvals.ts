// continuo approvals: what a person allowed for good, and taking it back.
import type { Command } from 'commander';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import { hasExpired } from '../../runtime/approvals/approval-grants.ts';
import { listStoredGrants, revokeStoredGrant, type StoredGrant } from '../../runtime/approvals/store-grants.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { canAsk, openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { formatAgo, formatMoment } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { shortenIds } from '../output/short-ids.ts';
import { type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { confirm } from '../prompt/confirm.ts';
import { usageError } from '../usage-error.ts';

const actions = ['list', 'revoke'] as const;
const shortIdLength = 'apv_'.length + 10;

interface Options {
  all?: boolean;
  yes?: boolean;
}

export function define(command: Command, { commands: { approvals } }: Help): void {
  command
    .argument('[action]', approvals.arguments.action)
    .argument('[ids...]', approvals.arguments.ids)
    .option('--all', approvals.options.all)
    .option('-y, --yes', approvals.options.yes);
}

export async function run(context: Context, [given = 'list', ...ids]: readonly string[], options: Options): Promise<undefined> {
  const action = readChoice(context, 'approvals', given, actions);
  const words = context.text.approvals;
  if (action === 'list' && (ids.length > 0 || options.all)) throw usageError(words.listTakesNone);
  if (action === 'revoke' && ids.length > 0 === (options.all === true)) throw usageError(words.revokeWhat);
  await using store = await openHome(context, 'read');
  if (action === 'list') return await list(context, store);
  return await (options.all ? revokeAll(context, store, options.yes === true) : revoke(context, store, ids));
}

async function list(context: Context, store: ConversationStore): Promise<undefined> {
  const { output, text } = context;
  const grants = await listStoredGrants(store);
  if (output.json) return void output.result({ approvals: grants.map((grant) => toJson(context, grant)) }, () => []);
  if (grants.length === 0) output.note(text.approvals.none);
  else output.line(...(await renderGrants(context, store, grants)));
}

async function revoke(context: Context, store: ConversationStore, ids: readonly string[]): Promise<undefined> {
  const revoked: StoredGrant[] = [];
  for (const id of ids) revoked.push(await revokeStoredGrant(store, id));
  const { text } = context;
  context.output.done({ revoked: revoked.map((grant) => toJson(context, grant)) }, () =>
    revoked.map((grant) => text.approvals.revoked(formatRule(context, grant))),
  );
}

async function revokeAll(context: Context, store: ConversationStore, yes: boolean): Promise<undefined> {
  const { output, text } = context;
  const grants = await listStoredGrants(store);
  if (grants.length > 0 && !yes) {
    if (!canAsk(context) || output.json) throw new ContinuoError('not-confirmed');
    process.stderr.write(`${(await renderGrants(context, store, grants)).join('\n')}\n`);
    if (!(await confirm(text.approvals.question(grants.length)))) throw new ContinuoError('not-confirmed');
  }
  for (const { id } of grants) await revokeStoredGrant(store, id);
  output.done({ revoked: grants.map((grant) => toJson(context, grant)) }, () => text.approvals.revokedAll(grants.length));
}

async function renderGrants(context: Context, store: ConversationStore, grants: readonly StoredGrant[]): Promise<string[]> {
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
    { text: formatRule(context, grant) },
    { text: formatScope(context, grant, conversations), paint: style.dim },
    { text: formatAgo(grant.createdAt, now(), text.time), paint: style.dim },
    { text: formatEnd(context, grant), paint: hasExpired(grant, now()) ? style.yellow : style.dim },
  ]);
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  return renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
}

function formatRule({ text }: Context, { key }: StoredGrant): string {
  const rule = plainLine(key.path.join(' '));
  return key.exact ? text.approvals.exactly(rule) : rule;
}

function formatScope({ text }: Context, { key, heldBy }: StoredGrant, ids: Map<ConversationId, string>): string {
  const id = ids.get(heldBy) ?? heldBy;
  return key.conversation === undefined ? text.approvals.inSession(id) : text.approvals.inConversation(id);
}

function formatEnd({ text, now }: Context, grant: StoredGrant): string {
  const { expiresAt } = grant.key;
  if (expiresAt === undefined) return text.approvals.forever;
  return hasExpired(grant, now()) ? text.approvals.expired : formatMoment(expiresAt);
}

/** Long enough to name no other. */
function shortId({ id }: StoredGrant, all: readonly StoredGrant[]): string {
  let length = shortIdLength;
  while (length < id.length && all.some((other) => other.id !== id && other.id.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}

function toJson({ now }: Context, grant: StoredGrant): object {
  const { id, key, heldBy, title, createdAt } = grant;
  return {
    id,
    path: key.path,
    exact: key.exact === true,
    scope: key.conversation === undefined ? 'session' : 'conversation',
    conversationId: heldBy,
    ...(title !== undefined && { title }),
    createdAt,
    expiresAt: key.expiresAt ?? null,
    expired: hasExpired(grant, now()),
  };
}
