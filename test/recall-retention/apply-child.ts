// One of several processes that carry out the same plan at once.
import { applyRetention } from '../../src/recall/retention/apply-retention.ts';
import type { RetentionPlan, RetentionResult } from '../../src/recall/retention/retention-plan.ts';
import { childInput, createInbox, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';

export interface ApplyInput {
  subject: SubjectName;
  folder: string;
  plan: RetentionPlan;
}

export type ApplyLine = 'ready' | { result: RetentionResult };

const { subject, folder, plan } = childInput<ApplyInput>();
const inbox = createInbox();
const store = await openSubject(subject, folder, { clock: () => plan.at });
tell('ready' satisfies ApplyLine);
await inbox();
const result = await applyRetention(plan, { store, clock: () => plan.at, confirmed: true });
await store.close();
tell({ result } satisfies ApplyLine);
process.exit(0);
