// continuo replay: a conversation played back from its log, in the pace it had, at once, or step by step.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Entry } from '../../model/entry.ts';
import { type ReplayOptions, replay } from '../../runtime/rollout/replay.ts';
import type { Context } from '../context.ts';
import { findConversation } from '../find-conversation.ts';
import { Interrupted } from '../interrupted.ts';
import type { Help } from '../messages/messages.ts';
import { canAsk, openHome } from '../open-home.ts';
import { readChoice } from '../option-values.ts';
import { safeJson } from '../output/safe-json.ts';
import { isShown, renderEntry, type TranscriptOptions } from '../output/transcript.ts';
import { usageError } from '../usage-error.ts';

const paces = ['real-time', 'fast', 'step'] as const;
/** About as fast as models speak. */
const millisecondsPerPiece = 30;
const longestAnswer = 3000;

interface Options {
  pace?: string;
  speed?: string;
  full?: boolean;
}

export function define(command: Command, { arguments: names, commands: { replay: words } }: Help): void {
  command
    .argument('<id>', names.id)
    .option('--pace <pace>', words.options.pace)
    .option('--speed <factor>', words.options.speed)
    .option('--full', words.options.full);
}

export async function run(context: Context, [reference = '']: readonly string[], options: Options): Promise<undefined> {
  const pace = options.pace === undefined ? 'fast' : readChoice(context, '--pace', options.pace, paces);
  const speed = options.speed === undefined ? 1 : readSpeed(context, options.speed);
  const { text, style, output } = context;
  if (options.speed !== undefined && pace !== 'real-time') throw usageError(text.replay.speedNeedsPace);
  if (pace === 'step' && !canAsk(context)) throw usageError(text.replay.stepNeedsTerminal);
  await using store = await openHome(context, 'read');
  const { id } = await findConversation(store, reference);
  const transcript = { full: options.full === true };
  using keys = pace === 'step' ? new EnterKey() : undefined;
  if (keys) output.note(style.dim(text.replay.stepping));
  let [shown, leftOut] = [0, 0];
  for await (const step of replay(store, id, { pace, speed, ...(keys && { next: () => keys.next() }) })) {
    const isPrinted = output.json || keys !== undefined || isShown(step.entry, transcript);
    if (isPrinted) shown += 1;
    else leftOut += 1;
    if (output.json) await output.write(`${safeJson(step)}\n`);
    else if (isPrinted) await print(context, step.entry, transcript, { pace, speed });
  }
  if (shown === 0) output.note(style.dim(leftOut > 0 ? text.show.onlyEvents(leftOut) : text.show.nothingSaid));
}

/** In real time an answer comes in pieces, as it did. */
async function print(
  context: Context,
  entry: Entry,
  transcript: TranscriptOptions,
  { pace, speed = 1 }: ReplayOptions,
): Promise<void> {
  const [heading = '', ...body] = renderEntry(context, entry, transcript);
  await context.output.write(`${heading}\n`);
  const isSpoken = pace === 'real-time' && entry.kind === 'message' && entry.role === 'assistant';
  const said = `${body.join('\n')}\n`;
  if (!isSpoken) return context.output.write(said);
  const pieces = said.match(/\s*\S{1,12}|\s+/g) ?? [];
  const pause = Math.min(millisecondsPerPiece, longestAnswer / pieces.length) / speed;
  for (const piece of pieces) {
    await context.output.write(piece);
    if (pause >= 1) await sleep(pause);
  }
}

/** Waits for Enter, one at a time. The end of the input lets the rest run through. */
class EnterKey {
  readonly #lines = createInterface({ input: process.stdin, terminal: false });
  #isOver = false;

  constructor() {
    this.#lines.on('close', () => {
      this.#isOver = true;
    });
    this.#lines.on('SIGINT', () => {
      throw new Interrupted();
    });
  }

  async next(): Promise<void> {
    if (this.#isOver) return;
    await Promise.race([once(this.#lines, 'line'), once(this.#lines, 'close')]);
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }
}

function readSpeed(context: Context, value: string): number {
  const speed = /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : 0;
  if (speed > 0 && speed <= 1e6) return speed;
  throw usageError(context.text.replay.notASpeed(value));
}
