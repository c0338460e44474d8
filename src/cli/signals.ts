// How the program ends when it is told to from outside: Ctrl-C closes the store and leaves with 130, a closed pipe is no error,
// and output that cannot be written is one.
import type { Cleanups } from './cleanups.ts';
import { exitStatus } from './exit-codes.ts';

const patience = 3000;

export function handleSignals(program: NodeJS.Process, cleanups: Cleanups): void {
  const leave = (status: number) => {
    let isLeaving = false;
    return () => {
      // Asked twice: the user does not want to wait for the cleaning up.
      if (isLeaving) program.exit(status);
      isLeaving = true;
      // Also keeps the process alive while it cleans up.
      setTimeout(() => program.exit(status), patience);
      void cleanups.run().finally(() => program.exit(status));
    };
  };
  program.on('SIGINT', leave(exitStatus.interrupted));
  program.on('SIGTERM', leave(exitStatus.terminated));
  program.stderr.on('error', () => undefined);
}

/** What cannot be printed ends the run: nobody would see the rest. `report` says why. */
export function handleOutputFaults(program: NodeJS.Process, report: (error: Error) => number): void {
  program.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `continuo list | head` is enough reading for somebody: end without a word.
    program.exit(error.code === 'EPIPE' ? exitStatus.ok : report(error));
  });
}
