// The approvals of one session, put together: its rules, its person, and what was allowed before. What is allowed for the whole
// session is kept with the first conversation that is opened in it, and so comes back when that one is resumed.
import type { Clock } from '../../base/clock.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import { ApprovalGrants, type Grant } from './approval-grants.ts';
import { ApprovalRules, type RuleTexts } from './approval-rule.ts';
import { type ApprovalDecision, type ApprovalRequest, Approvals, type ApprovalsOptions } from './approvals.ts';
import { type GrantHome, StoreGrants } from './store-grants.ts';

export interface SessionApprovalsOptions extends RuleTexts {
  /** `ask` where a person answers, `deny` where nobody does. Default: `ask` where there is an `ask`. */
  mode?: ApprovalsOptions['mode'];
  ask?: ApprovalsOptions['ask'];
}

export interface SessionApprovalsParts extends Pick<ApprovalsOptions, 'onRequest' | 'onDecision'> {
  store: GrantHome;
  clock: Clock;
  onProblem(error: unknown): void;
}

export class SessionApprovals {
  readonly #options: SessionApprovalsOptions;
  readonly #parts: SessionApprovalsParts;
  readonly #rules: ApprovalRules;
  #anchored: { approvals: Approvals; grants: ApprovalGrants } | undefined;

  constructor(options: SessionApprovalsOptions, parts: SessionApprovalsParts) {
    this.#options = options;
    this.#parts = parts;
    this.#rules = new ApprovalRules(options);
  }

  /** The conversation that holds what is allowed for the whole session; only the first call counts. */
  anchorAt(root: ConversationId): void {
    if (this.#anchored) return;
    const { store, clock, onProblem, ...told } = this.#parts;
    const { ask, mode = ask ? 'ask' : 'deny' } = this.#options;
    const grants = new ApprovalGrants({ root, store: new StoreGrants(store), clock, onProblem });
    const approvals = new Approvals({ rules: this.#rules, grants, mode, clock, ...told, ...(ask && { ask }) });
    this.#anchored = { approvals, grants };
  }

  decide(request: ApprovalRequest): Promise<ApprovalDecision> {
    if (!this.#anchored) throw new ContinuoError('internal', { reason: 'no conversation was opened' });
    return this.#anchored.approvals.decide(request);
  }

  /** What counts now for the conversations of this session. */
  async list(): Promise<Grant[]> {
    return (await this.#anchored?.grants.list()) ?? [];
  }

  async revoke(id: string): Promise<void> {
    if (!this.#anchored) throw new ContinuoError('approval-not-found', { id });
    await this.#anchored.grants.revoke(id);
  }

  forget(id: ConversationId): void {
    this.#anchored?.grants.forget(id);
  }

  close(): void {
    this.#anchored?.grants.close();
  }
}
