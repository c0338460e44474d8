// continuo approvals: what a person allowed for good, and taking it back.
import type { Command } from 'commander';
import { ContinuoError } from '../../model/error.ts';
import { hasExpired } from '../../runtime/approvals/approval-grants.ts';
import { listStoredGrants, revokeStoredGrant, type StoredGrant } from '../../runtime/approvals/store-grants.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { canAsk, openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { formatGrantRule, renderGrants } from '../output/grant-table.ts';
import { confirm } from '../prompt/confirm.ts';
import { usageError } from '../usage-error.ts';

const actions = ['list', 'revoke'] as const;

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
    revoked.map((grant) => text.approvals.revoked(formatGrantRule(context, grant))),
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
