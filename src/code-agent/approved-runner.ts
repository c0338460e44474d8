// Runs the project's own commands for the managers: the same permission, the same sandbox and the same log as if the model had asked
// for them. What nobody allowed is not run, and whoever asked is told so.
import { createUlid } from '../base/id.ts';
import { ContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { SessionApprovals } from '../runtime/approvals/session-approvals.ts';
import { type CommandRunner, createRunCommand } from '../tools/builtin/run-command.ts';
import type { ProjectRunner } from './project-runner.ts';

export interface ApprovedRunnerOptions {
  commands: CommandRunner | undefined;
  /** Where permission is asked; undefined until the conversation is open. */
  place(): { approvals: SessionApprovals; conversationId: ConversationId } | undefined;
  clock: () => number;
}

export function createApprovedRunner({ commands, place, clock }: ApprovedRunnerOptions): ProjectRunner {
  const tool = commands && createRunCommand(commands);
  return {
    async run(command, { signal, onOutput }) {
      const asked = place();
      if (!tool || !commands) return { ran: false, reason: 'no commands may be run here' };
      if (!asked) throw new ContinuoError('internal', { reason: 'no conversation was opened' });
      const { approvals, conversationId } = asked;
      const callId = `check_${createUlid(clock())}`;
      const access = await tool.access({ command });
      const { decision } = await approvals.decide({ conversationId, callId, tool: tool.name, access, signal });
      if (decision === 'denied') return { ran: false, reason: 'it was not allowed' };
      const result = await commands.run(command, { signal, ...(onOutput && { onOutput }) });
      if (signal.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
      return { ran: true, result };
    },
  };
}
