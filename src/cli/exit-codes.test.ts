import { describe, expect, it } from 'vitest';
import { errorMessages } from '../model/error-codes.ts';
import { exitCodes, exitStatus } from './exit-codes.ts';

describe('exit codes', () => {
  it('give every error code a number a script can rely on', () => {
    expect(Object.keys(exitCodes).sort()).toEqual(Object.keys(errorMessages).sort());
    const usual: number[] = Object.values(exitStatus).filter(
      (status) => status !== exitStatus.ok && status !== exitStatus.terminated,
    );
    expect(Object.values(exitCodes).filter((code) => !usual.includes(code))).toEqual([]);
  });
});
