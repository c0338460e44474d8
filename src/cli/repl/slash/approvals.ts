// /approvals: what a person allowed for good, here and in stored conversations, and taking it back.
import { ContinuoError } from '../../../model/error.ts';
import type { Grant } from '../../../runtime/approvals/approval-grants.ts';
import { listStoredGrants, revokeStoredGrant } from '../../../runtime/approvals/store-grants.ts';
import { formatGrantRule, renderGrants } from '../../output/grant-table.ts';
import type { ReplHost } from '../repl-host.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

export const approvals: SlashAction = {
  async complete(words, host) {
    if (words.length === 1) return ['revoke'];
    return words[0] === 'revoke' && words.length === 2 ? (await collectGrants(host)).map(({ id }) => id) : [];
  },
  async run(words, host) {
    const [action, id, ...others] = words;
    if (others.length > 0) throw new WrongUse();
    if (action === undefined) await list(host);
    else if (action === 'revoke' && id !== undefined) await revoke(host, id);
    else throw new WrongUse();
  },
};

async function list(host: ReplHost): Promise<void> {
  const { context, store } = host;
  const grants = await collectGrants(host);
  if (grants.length === 0) {
    host.say(context.text.approvals.none, 'note');
    return;
  }
  host.say(await renderGrants(context, store, grants));
  host.say(context.text.slash.approvals.howToRevoke, 'note');
}

/** What is held in memory only is known to the session alone. */
async function revoke(host: ReplHost, id: string): Promise<void> {
  const held = await findHeld(host, withPrefix(id));
  if (held) await host.revokeApproval?.(held.id);
  const revoked = held ?? (await revokeStoredGrant(host.store, id));
  host.say(host.context.text.approvals.revoked(formatGrantRule(host.context, revoked)), 'done');
}

async function findHeld(host: ReplHost, wanted: string): Promise<Grant | undefined> {
  if (!host.revokeApproval) return undefined;
  const fitting = ((await host.listApprovals?.()) ?? []).filter(({ id }) => id.startsWith(wanted));
  const exact = fitting.find(({ id }) => id === wanted);
  if (fitting.length > 1 && !exact)
    throw new ContinuoError('invalid-input', { what: 'approval id', reason: 'it fits several approvals; give more characters' });
  return exact ?? fitting[0];
}

/** Newest first, each once. */
async function collectGrants(host: ReplHost): Promise<Grant[]> {
  const [stored, held] = [await listStoredGrants(host.store), (await host.listApprovals?.()) ?? []];
  const known = new Set(stored.map(({ id }) => id));
  return [...stored, ...held.filter(({ id }) => !known.has(id))].sort((first, second) => second.createdAt - first.createdAt);
}

function withPrefix(id: string): string {
  return id.startsWith('apv_') ? id : `apv_${id.toLowerCase()}`;
}
