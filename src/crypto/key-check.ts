// A value kept beside an encrypted store that tells a right key from a wrong one before anything is read. It gives nothing of the
// key away.
import { createHmac, timingSafeEqual } from 'node:crypto';

export function createKeyCheck(key: Uint8Array): string {
  return createHmac('sha256', key).update('continuo key check').digest('hex');
}

export function matchesKeyCheck(key: Uint8Array, check: string): boolean {
  const expected = Buffer.from(createKeyCheck(key), 'ascii');
  const given = Buffer.from(check, 'utf8');
  return expected.length === given.length && timingSafeEqual(expected, given);
}
