// Runs damage cases in a child and says of each what is wrong with its outcome.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../support/child-program.ts';
import type { SubjectName } from '../support/store-subjects.ts';
import type { DamageCase, DamageInput, DamageLine } from './damage-case.ts';
import type { DamageStore } from './damage-store.ts';

export interface Campaign {
  program: string;
  subject: SubjectName;
  folder: string;
  store: DamageStore;
  cases: DamageCase[];
}

export type Outcome = Extract<DamageLine, { ends: number }>;

export interface CampaignResult {
  /** Everything that is wrong, each beginning with the case that shows it. */
  faults: string[];
  /** How many outcomes had which report. */
  reports: Record<string, number>;
}

/** `judge` says what else is wrong with an outcome. */
export async function runCampaign(
  { program, subject, folder, store, cases }: Campaign,
  judge: (damage: DamageCase, outcome: Outcome) => string[],
): Promise<CampaignResult> {
  const casesPath = join(folder, 'cases.json');
  writeFileSync(casesPath, JSON.stringify(cases));
  const input: DamageInput = {
    subject,
    pristine: store.pristine,
    work: join(folder, 'work'),
    cases: casesPath,
    original: store.original,
  };
  const child = new Child<DamageLine>(program, input, { silence: 30_000 });
  const result: CampaignResult = { faults: [], reports: {} };
  let current = -1;
  let finished = 0;
  for await (const line of child) {
    if ('begins' in line) {
      current = line.begins;
      continue;
    }
    finished += 1;
    const damage = cases[line.ends] as DamageCase;
    for (const fault of [...line.faults, ...judge(damage, line)])
      result.faults.push(`${nameCase(damage)} ${fault}`.slice(0, 400));
    for (const report of line.reports.length > 0 ? line.reports : ['none'])
      result.reports[report] = (result.reports[report] ?? 0) + 1;
  }
  const { code, signal } = await child.ended;
  if (code !== 0 || finished !== cases.length) {
    const end = `the process ended with ${signal ?? code} after ${finished} of ${cases.length} cases: ${child.errors}`;
    result.faults.push(`${nameCase(cases[current] as DamageCase)} ${end}`);
  }
  return result;
}

function nameCase(damage: DamageCase): string {
  const { file } = damage;
  return 'length' in damage ? `${file} cut to ${damage.length}:` : `${file} byte ${damage.offset} ^ ${damage.mask}:`;
}
