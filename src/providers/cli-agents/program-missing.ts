// Why an agent program could not be started, in the words people read.
import { ContinuoError } from '../../model/error.ts';

export function startFault({ code, message }: Pick<NodeJS.ErrnoException, 'code' | 'message'>, program: string): string {
  if (code === 'ENOENT') return `there is no program ${program}`;
  if (code === 'EACCES') return `${program} may not be run`;
  if (code === 'E2BIG') return 'the prompt is too long for an argument; let the program read it from standard input';
  return message;
}

export function missingProgram(program: string, reason: string, cause?: unknown): ContinuoError {
  return new ContinuoError('program-missing', { program, reason }, { cause });
}
