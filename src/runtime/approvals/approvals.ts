// Decides whether a call may happen: deny rules, then calls that only a person may answer, then allow rules, then what was allowed
// before, then the person. Invariant: all that a call needs must be allowed; where nobody can be asked, what is left is denied.
import { type Clock, systemClock } from '../../base/clock.ts';
import { createUlid } from '../../base/id.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ToolAccess } from '../../model/ports/tool.ts';
import type { ApprovalGrants, CommandKey } from './approval-grants.ts';
import type { ApprovalRules, Words } from './approval-rule.ts';

export interface ApprovalRequest {
  conversationId: ConversationId;
  callId: string;
  tool: string;
  access: ToolAccess;
  signal: AbortSignal;
}

/** What a person is asked. */
export interface ApprovalQuestion {
  requestId: string;
  conversationId: ConversationId;
  callId: string;
  tool: string;
  summary: string;
  /** What no rule and no earlier answer allows. */
  needs: readonly Words[];
  /** Why no rule may answer; then nothing is remembered either. */
  reason?: string;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
}

export interface ApprovalAnswer {
  allow: boolean;
  /** Do not ask again. */
  remember?: {
    scope: 'conversation' | 'session';
    /** The beginnings of needs to allow; without them exactly what was asked. */
    prefix?: readonly Words[];
    /** For how long; without it for ever. */
    milliseconds?: number;
  };
}

export interface ApprovalDecision {
  decision: 'allowed' | 'denied';
  /** `default`: nothing had to be asked, or nobody could be asked. A remembered answer counts as a rule. */
  by: 'rule' | 'person' | 'default';
  /** The grant that answered, or that the answer led to. */
  grantId?: string;
}

export type DecidedRequest = ApprovalDecision & {
  requestId: string;
  conversationId: ConversationId;
  callId: string;
  tool: string;
};

export interface ApprovalsOptions {
  rules: ApprovalRules;
  grants: ApprovalGrants;
  /** Whether there is a person to ask. */
  mode: 'ask' | 'deny';
  ask?: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  /** Before a person is asked. */
  onRequest?: (question: ApprovalQuestion) => void | Promise<void>;
  /** After every decision about something that needs permission. */
  onDecision?: (decided: DecidedRequest) => void | Promise<void>;
  clock?: Clock;
}

export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #clock: Clock;
  /** Settles when the person is free for the next question. */
  #asked: Promise<void> = Promise.resolve();

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Throws `cancelled` where the signal is aborted before there is an answer; then nothing was allowed. */
  async decide(request: ApprovalRequest): Promise<ApprovalDecision> {
    const { access, conversationId, callId, tool } = request;
    if (access.needs.length === 0 && access.askAlways === undefined) return { decision: 'allowed', by: 'default' };
    const requestId = `apr_${createUlid(this.#clock())}`;
    let decided: ApprovalDecision = { decision: 'denied', by: 'default' };
    try {
      assertWanted(request.signal);
      decided = await this.#decide(request, requestId);
      return decided;
    } finally {
      // Also where it was cancelled or failed: whoever shows the question learns that it is over.
      await this.#options.onDecision?.({ requestId, conversationId, callId, tool, ...decided });
    }
  }

  async #decide(request: ApprovalRequest, requestId: string): Promise<ApprovalDecision> {
    const { rules, mode, ask } = this.#options;
    const { needs, askAlways } = request.access;
    if (needs.some((need) => rules.deny(need))) return { decision: 'denied', by: 'rule' };
    const settled = askAlways === undefined ? await this.#findAllowed(request) : { open: needs };
    if (settled.open.length === 0 && askAlways === undefined) return allowedBefore(settled.grantId);
    if (mode === 'deny' || !ask) return { decision: 'denied', by: 'default' };
    return this.#takeTurn(request.signal, async () => {
      // An answer that was given meanwhile may have settled this one too.
      const now = askAlways === undefined ? await this.#findAllowed(request) : settled;
      if (now.open.length === 0 && askAlways === undefined) return allowedBefore(now.grantId);
      return this.#ask(ask, request, requestId, now.open);
    });
  }

  /** What is left of the needs after rules and earlier answers. */
  async #findAllowed(request: ApprovalRequest): Promise<{ open: readonly Words[]; grantId?: string }> {
    const { rules, grants } = this.#options;
    const open: Words[] = [];
    let grantId: string | undefined;
    for (const need of request.access.needs) {
      if (rules.allow(need)) continue;
      const grant = await grants.check(need, request.conversationId, this.#clock());
      if (grant) grantId ??= grant.id;
      else open.push(need);
    }
    return grantId === undefined ? { open } : { open, grantId };
  }

  async #ask(
    ask: NonNullable<ApprovalsOptions['ask']>,
    { conversationId, callId, tool, access, signal }: ApprovalRequest,
    requestId: string,
    needs: readonly Words[],
  ): Promise<ApprovalDecision> {
    const reason = access.askAlways;
    const question: ApprovalQuestion = { requestId, conversationId, callId, tool, summary: access.summary, needs, signal };
    if (reason !== undefined) question.reason = reason;
    await this.#options.onRequest?.(question);
    const answer = await wanted(signal, () => ask(question));
    assertWanted(signal);
    if (answer?.allow !== true) return { decision: 'denied', by: 'person' };
    const keys = reason === undefined ? this.#keysOf(answer, conversationId, needs) : [];
    let grantId: string | undefined;
    for (const key of keys) {
      const grant = await this.#options.grants.grant(key);
      grantId ??= grant.id;
    }
    return { decision: 'allowed', by: 'person', ...(grantId !== undefined && { grantId }) };
  }

  /** Only words that begin something that was asked are remembered: an answer cannot allow what the question did not show. */
  #keysOf({ remember }: ApprovalAnswer, conversation: ConversationId, needs: readonly Words[]): CommandKey[] {
    if (!remember) return [];
    const scope: Omit<CommandKey, 'path'> = remember.scope === 'session' ? {} : { conversation };
    if (remember.milliseconds !== undefined) scope.expiresAt = this.#clock() + remember.milliseconds;
    if (!remember.prefix) return needs.filter(hasWords).map((need) => ({ path: [...need], exact: true, ...scope }));
    const shown = remember.prefix.filter(
      (words) => hasWords(words) && needs.some((need) => words.every((word, i) => word === need[i])),
    );
    return shown.map((words) => ({ path: [...words], ...scope }));
  }

  /** One question at a time. Whoever is aborted while waiting leaves the queue without disturbing it. */
  async #takeTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#asked;
    let free = () => {};
    const mine = new Promise<void>((resolve) => {
      free = resolve;
    });
    this.#asked = before.then(() => mine);
    try {
      await wanted(signal, () => before);
      return await work();
    } finally {
      free();
    }
  }
}

function allowedBefore(grantId: string | undefined): ApprovalDecision {
  return { decision: 'allowed', by: 'rule', ...(grantId !== undefined && { grantId }) };
}

function hasWords(words: Words): boolean {
  return words.length > 0;
}

function assertWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}

async function wanted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  assertWanted(signal);
  try {
    return await unlessAborted(signal, work());
  } catch (error) {
    assertWanted(signal);
    throw error;
  }
}
