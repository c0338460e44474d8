// The same plan carried out by several processes at once, while others go on talking.
import { beforeAll, expect, it } from 'vitest';
import type { ContinuoError } from '../../src/model/error.ts';
import type { ConversationId } from '../../src/model/id.ts';
import { planRetention } from '../../src/recall/retention/plan-retention.ts';
import { listRetention } from '../../src/recall/retention/retention-note.ts';
import type { RetentionResult } from '../../src/recall/retention/retention-plan.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import type { ApplyInput, ApplyLine } from './apply-child.ts';
import { createWorkbench, settingsWith } from './workbench.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL('./apply-child.ts', import.meta.url));
});

it.each(['sqlite', 'jsonl'] as const)(
  '%s: each conversation goes once, and none that somebody began to use again',
  async (subject) => {
    const { store, keep, now, folder } = await createWorkbench(subject);
    const ids: ConversationId[] = [];
    for (let i = 0; i < 60; i += 1) ids.push((await keep(99 - i / 10, [`number ${i}`])).id);
    const plan = await planRetention({ store, now, settings: settingsWith() });
    expect(plan.trash.map(({ id }) => id)).toEqual(ids);
    const input: ApplyInput = { subject, folder, plan };
    const children = [1, 2].map(() => new Child<ApplyLine>(program, input));
    for (const child of children) expect(await child.next()).toBe('ready');
    for (const child of children) child.send('go');
    // From the other end, so that both meet somewhere; the oldest are left to them.
    const said = new Set<ConversationId>();
    const refused = new Set<string>();
    for (const id of ids.slice(20).reverse()) {
      await store.append(id, { kind: 'message', role: 'user', text: 'still here' }).then(
        () => said.add(id),
        (error: ContinuoError) => refused.add(error.code),
      );
    }
    expect(['conversation-locked', 'conversation-trashed']).toEqual(expect.arrayContaining([...refused]));
    const lines = await Promise.all(children.map((child) => child.finish()));
    const results = lines.map(([line]) => (line as { result: RetentionResult }).result);
    const trashed = results.flatMap((result) => result.trashed.map(({ id }) => id));
    expect(new Set(trashed).size).toBe(trashed.length);
    for (const result of results) expect(result.trashed.length + result.left.length).toBe(ids.length);
    // What was acknowledged is in no trash, and everything else is.
    const inTrash = (await store.list({ trash: 'only', limit: 1000 })).items.map(({ id }) => id);
    expect(inTrash.sort()).toEqual([...trashed].sort());
    expect(inTrash.filter((id) => said.has(id))).toEqual([]);
    expect([said.size > 0, trashed.length >= 20]).toEqual([true, true]);
    const noted: ConversationId[] = [];
    for await (const { id } of listRetention(store)) noted.push(id);
    expect(noted.sort()).toEqual(inTrash);
    for (const { id, meta } of (await store.list({ limit: 1000 })).items) expect([id, meta]).toEqual([id, {}]);
  },
);
