// Very many conversations: planning goes through them page by page and keeps little more than what it shows.
import { describe, expect, it } from 'vitest';
import { planRetention } from '../../src/recall/retention/plan-retention.ts';
import type { RetentionReason } from '../../src/recall/retention/retention-plan.ts';
import type { RetentionSettings } from '../../src/recall/retention/retention-settings.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { createWorkbench, day, settingsWith, type Workbench } from './workbench.ts';

const atOnce = 250;

/** One every hour, the newest an hour ago; every tenth repeats the one before it word for word, with a line more. */
async function fill({ store, clock, now }: Workbench, conversations: number): Promise<void> {
  const random = createSeededRandom(7);
  const words = Array.from({ length: 3000 }, (_, i) => `word${i.toString(36)}x`);
  const sentence = () => Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' ');
  let last = sentence();
  for (let first = 0; first < conversations; first += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, i) => first + i);
    // One moment a batch; within it the ids keep the order.
    clock.set(now - ((conversations - first) / 24) * day);
    const created = [];
    for (const _ of batch) created.push(await store.create());
    await Promise.all(
      created.map(({ id }, i) => {
        const repeats = i % 10 === 9;
        const texts = repeats ? [last, sentence()] : [sentence()];
        last = texts[0] as string;
        return store.append(
          id,
          texts.map((text) => ({ kind: 'message', role: 'user', text })),
        );
      }),
    );
  }
  clock.set(now);
}

async function measure({ store, now }: Workbench, changes: Partial<RetentionSettings>) {
  const begun = performance.now();
  const before = process.memoryUsage().heapUsed;
  const { trash, conversations, complete } = await planRetention({ store, now, settings: settingsWith(changes) });
  const mebibytes = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  const reasons: Partial<Record<RetentionReason, number>> = {};
  for (const { reason } of trash) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return { reasons, conversations, complete, isQuick: performance.now() - begun < 20_000, isSmall: mebibytes < 200 };
}

const fine = { complete: true, isQuick: true, isSmall: true };

describe('many conversations', () => {
  it('ten thousand are planned for in seconds by age and by number, with bounded memory', async () => {
    const workbench = await createWorkbench('sqlite');
    await fill(workbench, 10_000);
    // More than 2,400 hours ago: 31 batches.
    const old = await measure(workbench, { retentionDays: 100 });
    expect(old).toEqual({ reasons: { old: 7750 }, conversations: 10_000, ...fine });
    const many = await measure(workbench, { retentionDays: 100, maxConversations: 1000 });
    expect(many).toEqual({ reasons: { old: 7750, 'over-limit': 1250 }, conversations: 10_000, ...fine });
  });

  it('two thousand are compared with each other in seconds', async () => {
    const workbench = await createWorkbench('sqlite');
    await fill(workbench, 2000);
    const alike = await measure(workbench, { strategy: 'similarity', minSimilarity: 0.01 });
    expect(alike).toEqual({ reasons: { contained: 200 }, conversations: 2000, ...fine });
  });
});
