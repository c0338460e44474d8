// Thrown when the user breaks off at a prompt (Ctrl-C). It is no error: nothing is printed, and the exit code says it.

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
