// Leases as rows. Whether a holder is alive is judged above; here only tokens and times are compared, inside one transaction.
import type { Database, Statement } from 'better-sqlite3-multiple-ciphers';
import type { ConversationId } from '../../../model/id.ts';
import type { LeaseHolder } from '../../../model/lease.ts';
import type { LeaseRequest } from '../../../model/ports/store-driver.ts';

interface LeaseRow {
  conversation: string;
  token: string;
  owner: string;
  pid: number;
  host: string;
  acquired_at: number;
  expires_at: number;
}

export class LeaseTable {
  readonly #find: Statement<[string], LeaseRow>;
  readonly #put: Statement;
  readonly #renew: Statement<[number, string, string]>;
  readonly #delete: Statement<[string, string]>;

  constructor(database: Database) {
    this.#find = database.prepare('SELECT * FROM leases WHERE conversation = ?');
    this.#put = database.prepare('INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#renew = database.prepare('UPDATE leases SET expires_at = ? WHERE conversation = ? AND token = ?');
    this.#delete = database.prepare('DELETE FROM leases WHERE conversation = ? AND token = ?');
  }

  find(id: ConversationId): LeaseHolder | undefined {
    const row = this.#find.get(id);
    if (!row) return undefined;
    const { token, owner, pid, host, acquired_at: acquiredAt, expires_at: expiresAt } = row;
    return { conversationId: id, token, owner, pid, host, acquiredAt, expiresAt };
  }

  acquire(request: LeaseRequest): LeaseHolder {
    const { now, replaces, ...wanted } = request;
    const present = this.find(wanted.conversationId);
    const free = !present || present.expiresAt <= now || present.token === wanted.token || present.token === replaces;
    if (!free) return present;
    const { conversationId, token, owner, pid, host, acquiredAt, expiresAt } = wanted;
    this.#put.run(conversationId, token, owner, pid, host, acquiredAt, expiresAt);
    return wanted;
  }

  renew(id: ConversationId, token: string, expiresAt: number): boolean {
    return this.#renew.run(expiresAt, id, token).changes > 0;
  }

  release(id: ConversationId, token: string): void {
    this.#delete.run(id, token);
  }
}
