// One turn at a time in a whole session. Taking and giving the place are synchronous, so no other turn can slip in between; those
// who have to wait are served in the order they came.
import type { TaskId } from '../model/id.ts';

interface Waiting {
  taskId: TaskId;
  enter(): void;
}

export class SingleFlight {
  #running: TaskId | undefined;
  readonly #waiting: Waiting[] = [];

  get running(): TaskId | undefined {
    return this.#running;
  }

  /** Takes the place if nobody has it. */
  tryAcquire(taskId: TaskId): boolean {
    if (this.#running === undefined) this.#running = taskId;
    return this.#running === taskId;
  }

  /** Resolves when the place is the task's own; rejects with the signal's reason when it is aborted before. */
  async acquire(taskId: TaskId, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryAcquire(taskId)) return;
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        taskId,
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /** Gives the place to the next. Harmless for a task that does not hold it. */
  release(taskId: TaskId): void {
    if (this.#running !== taskId) return;
    const next = this.#waiting.shift();
    this.#running = next?.taskId;
    next?.enter();
  }
}
