// How the program ends when it is told to from outside: Ctrl-C closes the store and leaves with 130, a terminal that went away is no
// other, a closed pipe is no error, and output that cannot be written is one.
import type { Cleanups } from './cleanups.ts';
import { exitStatus } from './exit-codes.ts';

const patience = 3000;

/** The way out, once something has called for it. */
export interface Leaving {
  readonly hasBegun: boolean;
  begin(status: number): void;
}

export function handleSignals(program: NodeJS.Process, cleanups: Cleanups): Leaving {
  const leaving = {
    hasBegun: false,
    begin(status: number) {
      if (leaving.hasBegun) return;
      leaving.hasBegun = true;
      // Also keeps the process alive while it cleans up.
      setTimeout(() => end(program, status), patience);
      void cleanups.run().finally(() => end(program, status));
    },
  };
  const leaveAtOnceIfAskedTwice = (status: number) => () => {
    if (leaving.hasBegun) program.exit(status);
    leaving.begin(status);
  };
  program.on('SIGINT', leaveAtOnceIfAskedTwice(exitStatus.interrupted));
  program.on('SIGTERM', leaveAtOnceIfAskedTwice(exitStatus.terminated));
  // The system and the shell may both tell of one terminal that went away: the second is no hurry.
  program.on('SIGHUP', () => leaving.begin(exitStatus.hungUp));
  program.stderr.on('error', () => undefined);
  return leaving;
}

function end(program: NodeJS.Process, status: number): void {
  const hasTerminal = [program.stdin, program.stdout, program.stderr].some(({ isTTY }) => isTTY);
  if (status !== exitStatus.hungUp || !hasTerminal) program.exit(status);
  // Node crashes over a terminal that it cannot reset; the signal left to itself ends the process with the same status.
  program.removeAllListeners('SIGHUP');
  program.kill(program.pid, 'SIGHUP');
}

/** What cannot be printed ends the run: nobody would see the rest. `report` says why. */
export function handleOutputFaults(program: NodeJS.Process, leaving: Leaving, report: (error: Error) => number): void {
  program.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (leaving.hasBegun) return;
    // A terminal that went away; its signal is on its way.
    if (error.code === 'EIO' && program.stdout.isTTY) leaving.begin(exitStatus.hungUp);
    // `continuo list | head` is enough reading for somebody: end without a word.
    else program.exit(error.code === 'EPIPE' ? exitStatus.ok : report(error));
  });
}
