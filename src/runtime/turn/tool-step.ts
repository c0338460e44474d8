// The calls of one step, one after the other: looked up, allowed, run, recorded. Whatever goes wrong inside a call is told to the
// model and the turn goes on; only a cancelled turn ends here, and then every call that was made still gets a result.
import { unlessAborted } from '../../base/unless-aborted.ts';
import type { NewEntry } from '../../model/entry.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ToolOutcome } from '../../model/ports/tool.ts';
import type { ToolCall } from './model-step.ts';
import type { TurnContext } from './turn-context.ts';

/** How long a tool that was told to stop may take to come to an end of its own. */
const stopGrace = 1000;

export async function runToolCalls(context: TurnContext, calls: readonly ToolCall[]): Promise<void> {
  for (const [index, call] of calls.entries()) {
    let outcome: ToolOutcome;
    try {
      outcome = await runToolCall(context, call);
    } catch (error) {
      await recordUnmade(context, calls.slice(index));
      throw error;
    }
    await recordResult(context, call, outcome);
  }
}

async function runToolCall(context: TurnContext, { callId, tool: name, input }: ToolCall): Promise<ToolOutcome> {
  const { conversationId, signal } = context;
  signal.throwIfAborted();
  try {
    const tool = context.tools.get(name);
    if (typeof input !== 'object' || input === null)
      throw new ContinuoError('invalid-input', { what: `input of ${name}`, reason: 'it must be a JSON object' });
    const access = await tool.access(input);
    const needsLeave = access.needs.length > 0 || access.askAlways !== undefined;
    if (needsLeave && !(await context.approve({ conversationId, callId, tool: name, access, signal })))
      return { text: `Not allowed: ${access.summary}`, failed: true, code: 'approval-denied' };
    const onOutput = (text: string) => void context.emit({ type: 'tool-output', callId, text });
    return checkOutcome(name, await unlessAborted(signal, tool.run(input, { conversationId, signal, onOutput }), stopGrace));
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return { text: message, failed: true, ...(error instanceof ContinuoError && { code: error.code }) };
  }
}

/** What strangers' tools return is looked at before it is believed. */
function checkOutcome(tool: string, outcome: ToolOutcome): ToolOutcome {
  if (typeof outcome?.text === 'string') return outcome;
  throw new ContinuoError('invalid-input', { what: `outcome of ${tool}`, reason: 'it has no text' });
}

async function recordResult(context: TurnContext, { callId, tool }: ToolCall, outcome: ToolOutcome): Promise<void> {
  const { text, output, failed, code } = outcome;
  const flags = { ...(failed && { failed }), ...(code !== undefined && { code }) };
  context.countToolCall(tool, failed ?? false);
  await context.record([buildResult(context, callId, tool, text, { ...(output !== undefined && { output }), ...flags })]);
  await context.emit({ type: 'tool-result', callId, tool, text, ...flags });
}

/** Calls that a cancelled turn did not get to, or that were stopped: a call without a result would confuse every later reader. */
async function recordUnmade(context: TurnContext, calls: readonly ToolCall[]): Promise<void> {
  if (calls.length === 0) return;
  const text = 'The turn was cancelled before this call came to its end.';
  const flags = { failed: true, code: 'cancelled' } as const;
  await context.record(calls.map(({ callId, tool }) => buildResult(context, callId, tool, text, flags)));
  for (const { callId, tool } of calls) await context.emit({ type: 'tool-result', callId, tool, text, ...flags });
}

function buildResult(
  { turnId }: TurnContext,
  callId: string,
  tool: string,
  text: string,
  { code, ...more }: Partial<Omit<ToolOutcome, 'text'>>,
): NewEntry {
  return { kind: 'tool-result', callId, tool, text, ...more, ...(code !== undefined && { meta: { code } }), turnId };
}
