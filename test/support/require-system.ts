// A gate for tests that need something of the system: a program, a kernel feature, a mount. On a developer's machine the tests are
// skipped and the reason is shown at the end of the run; where CI=true a missing part is a failure, so nothing is skipped unseen.
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Whether the tests can run here: `describe.runIf(needs(hasTmux, 'tmux'))('…', …)`.
 * `what` completes the sentence "needs …". Throws where CI=true and the part is missing.
 */
export function needs(present: boolean, what: string): boolean {
  if (present) return true;
  if (process.env.CI === 'true')
    throw new Error(`These tests need ${what}, which is missing here. Under CI=true nothing may be skipped.`);
  return skip(what);
}

function skip(what: string): false {
  const log = process.env.CONTINUO_SKIP_REASONS;
  if (log !== undefined) appendFileSync(log, `${JSON.stringify({ file: callingFile(), reason: `needs ${what}` })}\n`);
  return false;
}

function callingFile(): string {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const frame = frames.find((line) => !line.includes('require-system')) ?? '';
  const place = /\(?((?:file:\/\/)?[^\s()]+?)(?::\d+){1,2}\)?$/.exec(frame)?.[1] ?? '';
  return place.startsWith('file://') ? fileURLToPath(place) : place;
}
