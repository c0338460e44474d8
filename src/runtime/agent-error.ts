// What a turn fails with: a coded error, and the kind of trouble it belongs to.
import { ContinuoError, type ErrorDetails } from '../model/error.ts';
import type { ErrorCode } from '../model/error-codes.ts';

export type AgentErrorKind =
  | 'cancelled'
  | 'timeout'
  | 'approval-denied'
  | 'sandbox'
  | 'mcp'
  | 'tool-conflict'
  | 'storage-policy'
  | 'model'
  | 'internal';

const kinds: Partial<Record<ErrorCode, AgentErrorKind>> = {
  cancelled: 'cancelled',
  timeout: 'timeout',
  'approval-denied': 'approval-denied',
  'sandbox-failed': 'sandbox',
  'mcp-failed': 'mcp',
  'mcp-limit': 'mcp',
  'tool-conflict': 'tool-conflict',
  'policy-forbids': 'storage-policy',
  'context-overflow': 'model',
};

export class AgentError extends ContinuoError {
  readonly kind: AgentErrorKind;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(code, details, options);
    this.kind = kinds[code] ?? (code.startsWith('model-') ? 'model' : 'internal');
  }
}

/** Anything that was thrown, as what a turn fails with. */
export function toAgentError(error: unknown): AgentError {
  if (error instanceof AgentError) return error;
  if (error instanceof ContinuoError) return new AgentError(error.code, error.details, { cause: error });
  if (error instanceof Error && error.name === 'AbortError') return new AgentError('cancelled', {}, { cause: error });
  return new AgentError('internal', { reason: error instanceof Error ? error.message : String(error) }, { cause: error });
}
