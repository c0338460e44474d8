// The turns at work in a session, for cancelling and for looking at. It knows a conversation only weakly: a conversation that is
// closed and let go by its users can be collected, whatever happened to its turns.
import type { ConversationId, TaskId } from '../model/id.ts';

export interface AgentTask<Owner extends object = object> {
  taskId: TaskId;
  conversationId: ConversationId;
  /** The name older consumers of events know the turn by. */
  subId: string;
  startedAt: number;
  owner: WeakRef<Owner>;
  abort: AbortController;
}

export class TaskRegistry<Owner extends object = object> {
  readonly #tasks = new Map<TaskId, AgentTask<Owner>>();

  insert(task: AgentTask<Owner>): void {
    this.#tasks.set(task.taskId, task);
  }

  remove(taskId: TaskId): void {
    this.#tasks.delete(taskId);
  }

  find(taskId: TaskId): AgentTask<Owner> | undefined {
    return this.#tasks.get(taskId);
  }

  list(): AgentTask<Owner>[] {
    return [...this.#tasks.values()];
  }

  /** Asks the task to stop; false where there is none of that id. */
  cancel(taskId: TaskId, reason?: unknown): boolean {
    const task = this.#tasks.get(taskId);
    task?.abort.abort(reason);
    return task !== undefined;
  }
}
