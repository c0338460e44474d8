// Which lines of a text fit a search. Literal text is looked for right here. A regular expression of a model may take for ever
// on a harmless line, and nothing can stop it in the thread that runs it; so it runs in a thread of its own, with a time limit for
// each text, and that thread is ended when the limit is over or the turn is cancelled.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ContinuoError } from '../../model/error.ts';
import { escapePattern } from './glob.ts';

export interface LineMatch {
  /** Counted from 0. */
  line: number;
  /** Where on the line the first match begins and how long it is. */
  column: number;
  length: number;
}

export interface LineMatcher {
  /** At most `limit` lines. `timeout` where it takes too long. */
  match(lines: readonly string[], limit: number, signal: AbortSignal): Promise<LineMatch[]>;
  close(): Promise<void>;
}

export const secondsPerFile = 2;

export function createLiteralMatcher(text: string, ignoreCase: boolean): LineMatcher {
  // Escaped text has nothing to go back to: linear.
  const pattern = new RegExp(escapePattern(text), ignoreCase ? 'iu' : 'u');
  return {
    async match(lines, limit) {
      const found: LineMatch[] = [];
      for (let line = 0; line < lines.length && found.length < limit; line++) {
        const match = pattern.exec(lines[line] as string);
        if (match) found.push({ line, column: match.index, length: match[0].length });
      }
      return found;
    },
    close: async () => {},
  };
}

/** Written in plain JavaScript, because a thread is started from text and not from this file. */
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ lines, limit }) => {
  const found = [];
  for (let line = 0; line < lines.length && found.length < limit; line++) {
    const match = pattern.exec(lines[line]);
    if (match) found.push({ line, column: match.index, length: match[0].length });
  }
  parentPort.postMessage(found);
});
`;

export function createPatternMatcher(source: string, ignoreCase: boolean, seconds = secondsPerFile): LineMatcher {
  const workerData = { source, flags: flagsOf(source, ignoreCase) };
  let worker: Worker | undefined;
  const start = async (): Promise<Worker> => {
    const thread = new Worker(threadSource, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 256 } });
    worker = thread;
    // The time limit is for the search, not for a busy machine to start a thread.
    await once(thread, 'online');
    return thread;
  };
  const close = async () => {
    const thread = worker;
    worker = undefined;
    await thread?.terminate();
  };
  return {
    async match(lines, limit, signal) {
      signal.throwIfAborted();
      const thread = worker ?? (await start());
      try {
        return await ask(thread, { lines, limit }, signal, () => tooSlow(source, seconds), seconds * 1000);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

/** One question to the thread; rejects when it takes too long, is aborted, or the thread ends. */
function ask(
  thread: Worker,
  question: { lines: readonly string[]; limit: number },
  signal: AbortSignal,
  late: () => ContinuoError,
  milliseconds: number,
): Promise<LineMatch[]> {
  return new Promise<LineMatch[]>((resolve, reject) => {
    const settle = (work: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      thread.off('message', take).off('error', fail).off('exit', miss);
      work();
    };
    const take = (found: LineMatch[]) => settle(() => resolve(found));
    const fail = (error: unknown) => settle(() => reject(error));
    const stop = () => fail(signal.reason);
    const miss = () => fail(new ContinuoError('internal', { reason: 'the search thread ended' }));
    // Where this thread was kept busy itself, the answer may be here already and only wait to be taken.
    const timer = setTimeout(() => setImmediate(() => fail(late())), milliseconds);
    signal.addEventListener('abort', stop, { once: true });
    thread.on('message', take).on('error', fail).on('exit', miss);
    thread.postMessage(question);
    if (signal.aborted) stop();
  });
}

function tooSlow(source: string, seconds: number): ContinuoError {
  return new ContinuoError('timeout', { what: `The regular expression ${source}`, seconds });
}

/** Why the text is no regular expression; undefined where it is one. */
export function findPatternFault(source: string): string | undefined {
  try {
    flagsOf(source, false);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Unicode where the pattern allows it: older patterns escape what needs no escape. */
function flagsOf(source: string, ignoreCase: boolean): string {
  const insensitive = ignoreCase ? 'i' : '';
  try {
    new RegExp(source, 'u');
    return `u${insensitive}`;
  } catch {
    new RegExp(source);
    return insensitive;
  }
}
