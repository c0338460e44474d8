// Kills processes in the middle of answers: what was acknowledged of an answer is there, whole, as a draft or as the entry that ended it.
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../src/model/id.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { campaignScale, scaled } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { campaignSeed, createSeededRandom } from '../support/seeded-random.ts';
import { openSubject, subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { draftSteps, parseDraft } from './draft-mark.ts';
import type { DraftInput, DraftLine } from './draft-writer.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('draft-writer.ts', import.meta.url));
});

describe(`answers cut off by SIGKILL, seed ${campaignSeed}`, () => {
  it.each(subjectNames)(
    '%s: are there up to the last acknowledged piece, and never half of one',
    { timeout: 120_000 * Math.max(1, campaignScale) },
    async (subject) => {
      const random = createSeededRandom(campaignSeed);
      const folder = createTemporaryFolder('draft-crash');
      let store = await openSubject(subject, folder, { redactor: false });
      const ids: ConversationId[] = [];
      for (let i = 0; i < 5; i++) ids.push((await store.create()).id);
      await store.close();
      for (let round = 1; round <= scaled(4); round++) {
        const child = new Child<DraftLine>(program, { subject, folder, ids, round } satisfies DraftInput);
        const acknowledged = new Map<ConversationId, DraftLine>();
        let fresh = 0;
        let timer: NodeJS.Timeout | undefined;
        for await (const line of child) {
          acknowledged.set(line.id, line);
          fresh += 1;
          if (fresh > 5) timer ??= setTimeout(() => child.kill(), random.between(10, 250));
        }
        clearTimeout(timer);
        expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
        expect(child.errors).toBe('');
        expect(fresh).toBeGreaterThan(5);
        store = await openSubject(subject, folder, { redactor: false });
        for (const id of ids) await expectAtLeast(store, id, acknowledged.get(id));
        const { problems } = await store.verify();
        expect(problems.filter((problem) => problem.code !== 'torn-tail')).toEqual([]);
        await store.close();
      }
    },
  );
});

async function expectAtLeast(store: ConversationStore, id: ConversationId, last: DraftLine | undefined): Promise<void> {
  const draft = await store.findDraft(id);
  const [entry] = await store.tail(id, 1);
  const [pending, ended] = [draft && parseDraft(draft as object), entry && parseDraft(entry as object)];
  expect({ draft: draft && pending !== undefined, entry: entry && ended?.step }).toEqual({
    draft: draft && true,
    entry: entry && draftSteps + 1,
  });
  if (!last) return;
  const reached = Math.max(rank(pending), rank(ended));
  // One more piece may have been under way.
  expect([rank(last), rank(last) + 1, rank({ answer: last.answer + 1, step: 1 })]).toContain(reached);
}

function rank(mark: { answer: number; step: number } | undefined): number {
  return mark ? mark.answer * 100 + mark.step : 0;
}
