// Leases in the coordination file. They matter between living processes only, so losing that file loses nothing else.
import type { ConversationId } from '../../../model/id.ts';
import type { LeaseHolder } from '../../../model/lease.ts';
import type { LeaseRequest } from '../../../model/ports/store-driver.ts';
import { type Connection, prepare } from './statements.ts';

const columns = 'conversation_id as conversationId, token, owner, pid, host, acquired_at as acquiredAt, expires_at as expiresAt';

export function findLease(connection: Connection, id: ConversationId): LeaseHolder | undefined {
  return prepare(connection, `select ${columns} from lease where conversation_id = ?`).get(id) as LeaseHolder | undefined;
}

export function acquireLease(connection: Connection, request: LeaseRequest): LeaseHolder {
  const { now, replaces, ...wanted } = request;
  const present = findLease(connection, wanted.conversationId);
  const isFree = !present || present.expiresAt <= now || present.token === wanted.token || present.token === replaces;
  if (!isFree) return present;
  const { conversationId, token, owner, pid, host, acquiredAt, expiresAt } = wanted;
  const values = [conversationId, token, owner, pid, host, acquiredAt, expiresAt];
  prepare(connection, 'replace into lease values (?, ?, ?, ?, ?, ?, ?)').run(...values);
  return wanted;
}

export function renewLease(connection: Connection, id: ConversationId, token: string, expiresAt: number): boolean {
  const sql = 'update lease set expires_at = ? where conversation_id = ? and token = ?';
  return prepare(connection, sql).run(expiresAt, id, token).changes === 1;
}

export function releaseLease(connection: Connection, id: ConversationId, token: string): void {
  prepare(connection, 'delete from lease where conversation_id = ? and token = ?').run(id, token);
}

export function dropLease(connection: Connection, id: ConversationId): void {
  prepare(connection, 'delete from lease where conversation_id = ?').run(id);
}
