import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConversationStore } from '../store/conversation-store.ts';
import { MemoryDriver } from '../store/drivers/memory/memory-driver.ts';
import type { SessionMessage } from './channel-session.ts';
import { SessionManager } from './session-manager.ts';

type Said = Pick<SessionMessage, 'role' | 'content'>;

/** What sessions should do, said as simply as possible: clearing puts the messages on a pile, and taking it back lifts them off. */
class Model {
  readonly #sessions = new Map<string, { visible: Said[]; hidden: Said[][] }>();

  of(key: string) {
    const session = this.#sessions.get(key) ?? { visible: [], hidden: [] };
    this.#sessions.set(key, session);
    return session;
  }

  has(key: string): boolean {
    return this.#sessions.has(key);
  }

  clear(key: string): void {
    if (!this.has(key)) return;
    const session = this.of(key);
    session.hidden.push(session.visible);
    session.visible = [];
  }

  unclear(key: string): boolean {
    const session = this.has(key) ? this.of(key) : undefined;
    const lifted = session?.hidden.pop();
    if (session && lifted) session.visible = [...lifted, ...session.visible];
    return lifted !== undefined;
  }

  delete(key: string): boolean {
    return this.#sessions.delete(key);
  }
}

const actions = ['add', 'add', 'add', 'add', 'read', 'read', 'open', 'clear', 'unclear', 'unload', 'delete'] as const;
const step = fc.record({
  action: fc.constantFrom(...actions),
  key: fc.constantFrom('a', 'a', 'b'),
  manager: fc.nat(1),
  role: fc.constantFrom('user', 'assistant', 'system', 'system'),
  count: fc.integer({ min: 0, max: 9 }),
});

describe('sessions do what a simple model does', () => {
  it.each([
    { managers: 2, waits: true, title: 'with two managers, tiny windows and hardly any memory' },
    { managers: 1, waits: false, title: 'when nobody waits for anything but answers' },
  ])('$title', async ({ managers: count, waits }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const store = await ConversationStore.open({ driver: new MemoryDriver(), redactor: false });
        const managers = [3, 4].slice(0, count).map((windowSize) => ({
          windowSize,
          manager: new SessionManager({ store, windowSize, maxSessions: 1 }),
        }));
        const model = new Model();
        const pending: Promise<void>[] = [];
        for (const [i, { action, key, role, ...rest }] of steps.entries()) {
          const { manager, windowSize } = managers[rest.manager % count] as (typeof managers)[number];
          const doing = perform();
          pending.push(doing);
          if (waits) await doing;

          async function perform(): Promise<void> {
            if (action === 'add') {
              model.of(key).visible.push({ role, content: `m${i}` });
              await manager.addMessage(key, role, `m${i}`);
            } else if (action === 'read') {
              const chat = model.has(key) ? model.of(key).visible.filter((said) => said.role !== 'system') : [];
              const expected = rest.count === 0 ? [] : chat.slice(-rest.count);
              expect((await manager.getMessages(key, rest.count)).map(said)).toEqual(expected);
            } else if (action === 'open') {
              const expected = model.of(key).visible.slice(-windowSize);
              const { messages } = await manager.getOrCreate(key);
              // A session is live: where nobody waits, it may show later messages already.
              if (waits) expect(messages.map(said)).toEqual(expected);
            } else if (action === 'clear') {
              model.clear(key);
              await manager.clear(key);
            } else if (action === 'unclear') {
              const expected = model.unclear(key);
              expect(await manager.unclear(key)).toBe(expected);
            } else if (action === 'delete') {
              const expected = model.delete(key);
              expect(await manager.delete(key)).toBe(expected);
            } else {
              await manager.unload(key);
            }
          }
        }
        await Promise.all(pending);
        for (const { manager } of managers) await manager.close();
        const fresh = new SessionManager({ store, windowSize: 5 });
        for (const key of ['a', 'b']) {
          const expected = model.has(key) ? model.of(key).visible.filter((message) => message.role !== 'system') : [];
          expect((await fresh.getMessages(key, 1000)).map(said)).toEqual(expected);
        }
        await store.close();
      }),
      { numRuns: 150 },
    );
  });
});

function said({ role, content }: SessionMessage): Said {
  return { role, content };
}
