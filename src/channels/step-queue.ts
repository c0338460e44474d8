// One thing after the other, in the order asked. Writes that stand next to each other are done together, so that a burst of
// messages costs one commit; nothing else is ever moved past anything.
import { GroupCommit } from '../base/group-commit.ts';

type Step<Item> = { item: Item } | { task: () => Promise<unknown> };
type Outcome = { value: unknown } | { error: unknown };

export class StepQueue<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  readonly #steps = new GroupCommit<Step<Item>, Outcome>((steps) => this.#perform(steps));
  #waiting = 0;

  /** `write` does a run of writes, all or none. */
  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Whether something asked for is not done yet. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  write(item: Item): Promise<void> {
    return this.#ask({ item }) as Promise<void>;
  }

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#ask({ task }) as Promise<Result>;
  }

  async #ask(step: Step<Item>): Promise<unknown> {
    this.#waiting += 1;
    try {
      const outcome = await this.#steps.submit(step);
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #perform(steps: readonly Step<Item>[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    while (outcomes.length < steps.length) {
      const step = steps[outcomes.length] as Step<Item>;
      const items = itemsFrom(steps, outcomes.length);
      const outcome = await settle('task' in step ? step.task : () => this.#write(items));
      for (let i = 0; i < Math.max(1, items.length); i++) outcomes.push(outcome);
    }
    return outcomes;
  }
}

/** The writes that stand next to each other from the place on. */
function itemsFrom<Item>(steps: readonly Step<Item>[], from: number): Item[] {
  const items: Item[] = [];
  for (let i = from; i < steps.length; i++) {
    const step = steps[i] as Step<Item>;
    if ('task' in step) break;
    items.push(step.item);
  }
  return items;
}

async function settle(task: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await task() };
  } catch (error) {
    return { error };
  }
}
