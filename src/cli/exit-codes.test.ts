import { describe, expect, it } from 'vitest';
import { errorMessages } from '../model/error-codes.ts';
import { exitCodes, exitStatus } from './exit-codes.ts';

describe('exit codes', () => {
  it('give every error code a number a script can rely on', () => {
    expect(Object.keys(exitCodes).sort()).toEqual(Object.keys(errorMessages).sort());
    const usual = [exitStatus.failed, exitStatus.usage, exitStatus.notFound, exitStatus.refused, exitStatus.medium];
    expect(Object.values(exitCodes).filter((code) => !usual.includes(code))).toEqual([]);
  });
});
