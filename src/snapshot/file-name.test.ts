import { describe, expect, it } from 'vitest';
import { decodeId, encodeId, sessionFileName, sessionOfFileName } from './file-name.ts';

describe('the name of a team or session as a file name', () => {
  it.each([
    ['review', 'review'],
    ['Review_2-b.c', 'Review_2-b.c'],
    ['代码评审', '代码评审'],
    ['../../etc/passwd', '%2E.%2F..%2Fetc%2Fpasswd'],
    ['.', '%2E'],
    ['..', '%2E%2E'],
    ['.hidden', '%2Ehidden'],
    ['a/b\\c:d*e', 'a%2Fb%5Cc%3Ad%2Ae'],
    ['a%2Fb', 'a%252Fb'],
    ['é', '%C3%A9'],
    ['e\u0301', 'e%CC%81'],
    ['nul.txt', '%6Eul.txt'],
    ['trailing.', 'trailing%2E'],
    ['😀 x', '%F0%9F%98%80%20x'],
    ['a\nb', 'a%0Ab'],
  ])('%j becomes %j', (id, name) => {
    expect(encodeId(id, 'team id')).toBe(name);
    expect(decodeId(name)).toBe(id);
  });

  it.each([
    ['', 'it is empty'],
    ['a\0b', 'it has a NUL character'],
    ['x'.repeat(300), 'it is too long'],
    ['汉'.repeat(61), 'it is too long'],
    ['\ud800', 'it is not well-formed text'],
  ])('%j is refused', (id, reason) => {
    expect(() => encodeId(id, 'session id')).toThrow(
      expect.objectContaining({ code: 'invalid-input', details: { what: 'session id', reason } }),
    );
  });

  it.each(['%2e', '%41', '%', '.x', 'a b', '%FF', ''])('%j is the name of no id', (name) => {
    expect(decodeId(name)).toBeUndefined();
  });

  it('carries the time of the beginning, and gives the session id back exactly', () => {
    const name = sessionFileName('2025-11-25T14:00:00.123Z', 'ses-1-2.json');
    expect(name).toBe('20251125T140000123Z-ses-1-2.json.json');
    expect(sessionOfFileName(name)).toBe('ses-1-2.json');
    expect(['a.json', '.lock', 'x-1.json', '1-a.json.tmp', '1-.json'].map(sessionOfFileName)).toEqual(Array(5).fill(undefined));
  });
});
