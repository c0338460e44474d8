import { describe, expect, it } from 'vitest';
import { operandsOf, scanGlobalFlags } from './global-flags.ts';

describe('options every command has', () => {
  it('are found before and after the command, with and without "="', () => {
    expect(scanGlobalFlags(['--home', '/a', 'list', '--lang=zh', '--json', '-q', '--no-color', '--key-file', 'k'])).toEqual({
      home: '/a',
      lang: 'zh',
      keyFile: 'k',
      json: true,
      quiet: true,
      color: false,
    });
  });

  it('count no more after "--", where text may look like an option', () => {
    expect(scanGlobalFlags(['append', '--', '--json'])).toEqual({});
    expect(operandsOf(['append', '--', '--json'])).toEqual(['append', '--json']);
  });

  it('do not hide which command is meant', () => {
    expect(operandsOf(['--home', 'list', '--json', 'show', 'x', '-'])).toEqual(['show', 'x', '-']);
    expect(operandsOf(['--home=list', 'show'])).toEqual(['show']);
  });
});
