// The doctor's look at the session files of teams: checkpoints beside the log, so nothing is lost with one, but people should know.
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import type { OpenHome } from '../open-home.ts';
import { lookAtSessions, sealSessions } from '../team/look-at-sessions.ts';
import type { Finding } from './finding.ts';

/** More than a person reads; the rest is counted. */
const mostNamed = 10;

export async function checkSessions(context: Context, { key }: OpenHome, fix: boolean): Promise<Finding[]> {
  const { doctor, sessionFiles: words } = context.text;
  const census = await lookAtSessions(context, key);
  if (!census) return [];
  const { sessions, teams, unreadable, setAside, plain, loose } = census;
  const findings: Finding[] = [{ check: 'sessions', status: 'ok', message: words.found(sessions, teams) }];
  for (const { error } of unreadable.slice(0, mostNamed)) {
    const next = error.code === 'session-damaged' ? { next: words.damagedNext } : {};
    const message = describeError(error, context.text);
    findings.push({ check: 'sessions', status: 'problem', code: error.code, message, ...next });
  }
  if (unreadable.length > mostNamed) {
    const message = doctor.moreProblems(unreadable.length - mostNamed);
    findings.push({ check: 'sessions', status: 'problem', code: 'more', message });
  }
  if (plain.length > 0) findings.push(await sealOrTell(context, key, plain.length, fix));
  // That they are is a problem already, told with all other files of the home.
  if (loose.length > 0) findings.push({ check: 'sessions', status: 'note', message: words.loose(loose.length) });
  if (setAside.length > 0)
    findings.push({ check: 'sessions', status: 'note', message: words.setAside(setAside.length), next: words.setAsideNext });
  return findings;
}

async function sealOrTell(context: Context, key: OpenHome['key'], count: number, fix: boolean): Promise<Finding> {
  const { sessionFiles: words } = context.text;
  const finding = { check: 'sessions', code: 'session-not-sealed' } as const;
  if (!fix) return { ...finding, status: 'problem', message: words.plain(count), next: words.plainNext };
  await sealSessions(context, key);
  return { ...finding, status: 'fixed', message: words.sealed(count) };
}
