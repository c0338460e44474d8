// continuo doctor: looks at everything a store needs, explains each problem in a sentence with the next step, and repairs only what
// cannot do harm.
import type { Command } from 'commander';
import { configWithoutFile } from '../../config/load-config.ts';
import { ContinuoError } from '../../model/error.ts';
import type { Problem } from '../../model/ports/store-driver.ts';
import { type HomeRecord, loadHome } from '../../store/home.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { Context } from '../context.ts';
import { checkDisk, checkHome, checkPermissions } from '../doctor/check-home.ts';
import { checkIndex } from '../doctor/check-index.ts';
import { checkPrivateNames } from '../doctor/check-private-names.ts';
import { checkPurges } from '../doctor/check-purges.ts';
import { checkSessions } from '../doctor/check-sessions.ts';
import { checkContents, checkDue, checkWriters } from '../doctor/check-store.ts';
import type { CheckName, Finding } from '../doctor/finding.ts';
import { describeError } from '../error-report.ts';
import { exitStatus } from '../exit-codes.ts';
import type { Help } from '../messages/messages.ts';
import { findCure } from '../next-step.ts';
import { openHomeWithKey } from '../open-home.ts';
import { plainText } from '../output/plain-text.ts';

export function define(command: Command, { commands: { doctor } }: Help): void {
  command.option('--fix', doctor.options.fix);
}

export async function run(context: Context, _args: readonly string[], { fix = false }: { fix?: boolean }): Promise<number> {
  const { output, text, home } = context;
  const findings: Finding[] = [];
  for await (const finding of examine(context, fix)) {
    findings.push(finding);
    if (!output.json) output.line(...renderFinding(context, finding));
  }
  const problems = findings.filter(({ status }) => status === 'problem').length;
  output.result({ home, problems, checks: findings }, () => [
    '',
    problems === 0 ? text.doctor.healthy : text.doctor.sick(problems),
  ]);
  return problems === 0 ? exitStatus.ok : exitStatus.failed;
}

async function* examine(context: Context, fix: boolean): AsyncGenerator<Finding> {
  yield await checkProgram(context);
  const home = await checkHome(context);
  yield home;
  if (home.status !== 'ok') return;
  const [settings] = await attempt(context, 'settings', async () => {
    context.config();
    return [{ check: 'settings', status: 'ok', message: context.text.doctor.settingsFine }];
  });
  if (settings) yield settings;
  yield* await attempt(context, 'disk', async () => [await checkDisk(context)]);
  yield* await attempt(context, 'permissions', async () => [await checkPermissions(context, fix)]);
  let record: HomeRecord | undefined;
  const findings = await attempt(context, 'record', async () => {
    record = await loadHome(context.home);
    return [describeRecord(context, record)];
  });
  yield* findings;
  if (!record) return;
  yield* await attempt(context, 'purges', () => checkPurges(context, fix));
  if (settings?.status === 'ok') yield* await attempt(context, 'store', () => examineStore(context, fix));
  else if (record.encryption) yield { check: 'store', status: 'note', message: context.text.doctor.notOpened };
  else {
    // The mistake is told already; a plain store can be looked at without any settings.
    const plain: Context = { ...context, config: () => configWithoutFile({ home: context.home, env: {} }) };
    yield* await attempt(plain, 'store', () => examineStore(plain, fix));
  }
}

async function checkProgram({ text: { doctor } }: Context): Promise<Finding> {
  try {
    const { readSqliteVersion } = await import('../../store/drivers/sqlite/sqlite-version.ts');
    return {
      check: 'program',
      status: 'ok',
      message: doctor.versions(process.version, readSqliteVersion(), `${process.platform} ${process.arch}`),
    };
  } catch (error) {
    return {
      check: 'program',
      status: 'problem',
      code: 'sqlite-unusable',
      message: doctor.noSqlite(String(error)),
      next: doctor.noSqliteNext,
    };
  }
}

function describeRecord({ text: { doctor } }: Context, record: HomeRecord | undefined): Finding {
  if (!record) return { check: 'record', status: 'note', message: doctor.noStore, next: doctor.noHomeNext };
  return { check: 'record', status: 'ok', message: doctor.record(record.driver, record.encryption?.source) };
}

async function examineStore(context: Context, fix: boolean): Promise<Finding[]> {
  const met: Problem[] = [];
  const opened = await openHomeWithKey(context, 'read', (problem) => met.push(problem));
  await using store = opened.store;
  return [
    ...(await checkContents(context, store, met.splice(0))),
    ...(await checkWriters(context, store)),
    await checkDue(context, store),
    ...(await attempt(context, 'settings', () => checkPrivateNames(context, store))),
    ...(await attempt(context, 'index', async () => [await checkIndex(context, opened)])),
    ...(await attempt(context, 'sessions', () => checkSessions(context, opened, fix))),
  ];
}

/** A check that cannot be made is a finding too: the doctor goes on with the next. */
async function attempt(context: Context, check: CheckName, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    const known = error instanceof ContinuoError ? error : toStoreError(error, context.home);
    return [describeFault(context, check, known)];
  }
}

function describeFault(context: Context, check: CheckName, error: ContinuoError): Finding {
  const { text } = context;
  const finding = { check, status: 'problem', code: error.code } as const;
  // The general sentence sends people to the doctor; they are here already.
  if (error.code !== 'store-damaged') {
    const next = error.code === 'config-invalid' ? text.doctor.settingsNext : findCure(context, error);
    return { ...finding, message: describeError(error, text), ...(next !== undefined && { next }) };
  }
  const reason = text.translateReason(String(error.details.reason));
  return { ...finding, message: text.doctor.damaged(String(error.details.path), reason), next: text.doctor.damagedNext };
}

function renderFinding({ style }: Context, { status, message, next }: Finding): string[] {
  const marks = { ok: style.green('✓'), note: style.blue('·'), fixed: style.green('✓'), problem: style.red('✗') };
  return [`${marks[status]} ${plainText(message)}`, ...(next === undefined ? [] : [style.dim(`  → ${plainText(next)}`)])];
}
