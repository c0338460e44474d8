// Turns what the operating system throws while session files are read or written into coded errors.
import { ContinuoError } from '../model/error.ts';

/** An error that is coded already comes back as it is. */
export function toFileError(error: unknown, path: string): ContinuoError {
  if (error instanceof ContinuoError) return error;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const options = { cause: error };
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ContinuoError('disk-full', { path }, options);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new ContinuoError('permission-denied', { path }, options);
  if (code === 'EMFILE' || code === 'ENFILE') return new ContinuoError('too-many-files', { path }, options);
  if (code === 'ELOOP') return new ContinuoError('unsafe-path', { path, reason: 'it is a symbolic link' }, options);
  // Not a fault of the medium but of this program: it must not be dressed up as one.
  if (code === '') return new ContinuoError('internal', { reason: message }, options);
  return new ContinuoError('io-failed', { path, reason: message }, options);
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
