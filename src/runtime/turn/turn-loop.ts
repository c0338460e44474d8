// A turn: steps until the model has nothing more to call and nobody has said anything new. Everything is in the log before the
// next thing happens.
import type { NewEntry } from '../../model/entry.ts';
import { ContinuoError } from '../../model/error.ts';
import type { FinishReason, TokenUsage } from '../../model/ports/text-model.ts';
import { type Answer, createAnswer, runModelStep } from './model-step.ts';
import { runToolCalls } from './tool-step.ts';
import type { TurnContext } from './turn-context.ts';

/** What a turn has come to; filled while it runs. */
export interface TurnTally {
  /** The words of the last step that said any. */
  text: string;
  steps: number;
  toolCalls: number;
  usage: Required<TokenUsage>;
  finish?: FinishReason;
  startedAt: number;
  /** Milliseconds from the start to the first words. */
  firstToken?: number;
}

export function createTally(): TurnTally {
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return { text: '', steps: 0, toolCalls: 0, usage, startedAt: performance.now() };
}

export async function runTurn(context: TurnContext, tally: TurnTally): Promise<void> {
  for (;;) {
    await context.drainInput();
    context.signal.throwIfAborted();
    if (tally.steps >= context.maxSteps) throw new ContinuoError('step-limit', { steps: tally.steps });
    tally.steps += 1;
    await context.emit({ type: 'step-start', step: tally.steps, model: context.model.id });
    const answer = await runStep(context, tally);
    if (answer.toolCalls.length > 0) {
      tally.toolCalls += answer.toolCalls.length;
      await runToolCalls(context, answer.toolCalls);
    } else if (context.endInput()) return;
  }
}

/** One step, recorded also when it breaks off in the middle. */
async function runStep(context: TurnContext, tally: TurnTally): Promise<Answer> {
  const answer = createAnswer();
  let isWhole = false;
  try {
    await runModelStep(context, answer);
    isWhole = true;
  } finally {
    count(tally, answer);
    // Calls of a step that broke off were never made: they are no part of the record.
    const said = buildEntries(context, isWhole ? answer : { ...answer, toolCalls: [] }, isWhole);
    if (said.length > 0) await context.record(said, { endsDraft: true });
  }
  return answer;
}

function buildEntries({ model, turnId }: TurnContext, answer: Answer, isWhole: boolean): NewEntry[] {
  const entries: NewEntry[] = [];
  if (answer.thinking !== '') entries.push({ kind: 'thinking', text: answer.thinking, model: model.id, turnId });
  if (answer.text !== '' || (isWhole && answer.toolCalls.length === 0)) {
    entries.push({
      kind: 'message',
      role: 'assistant',
      text: answer.text,
      model: model.id,
      usage: withoutUndefined(answer.usage),
      turnId,
      ...(!isWhole && { interrupted: true }),
    });
  }
  for (const { callId, tool, input } of answer.toolCalls) entries.push({ kind: 'tool-call', callId, tool, input, turnId });
  return entries;
}

function count(tally: TurnTally, { text, usage, finish, firstWordAt }: Answer): void {
  if (firstWordAt !== undefined) tally.firstToken ??= firstWordAt - tally.startedAt;
  if (text !== '') tally.text = text;
  if (finish !== undefined) tally.finish = finish;
  tally.usage.inputTokens += usage.inputTokens ?? 0;
  tally.usage.outputTokens += usage.outputTokens ?? 0;
  tally.usage.cachedTokens += usage.cachedTokens ?? 0;
}

function withoutUndefined(usage: TokenUsage): TokenUsage {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined));
}
