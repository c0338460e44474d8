// What this room itself finds wrong with an answer. Becomes `model-answer-broken`.

export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
  /** Whether asking again may help. */
  readonly retryable: boolean;

  constructor(reason: string, options: { retryable: boolean }) {
    super(reason);
    this.retryable = options.retryable;
  }
}
