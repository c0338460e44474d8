import { describe, expect, it } from 'vitest';
import { readTypedLine } from './slash-line.ts';

describe('a typed line', () => {
  it.each([
    ['/help', { command: 'help' }],
    ['/QUIT now', { command: 'quit' }],
    ['/model gpt', { unknown: '/model' }],
    ['/帮助', { unknown: '/帮助' }],
    ['//help', { say: '/help' }],
    ['// a comment', { say: '/ a comment' }],
    ['/etc/hosts is wrong', { say: '/etc/hosts is wrong' }],
    ['/', { say: '/' }],
    ['/ 2', { say: '/ 2' }],
    ['/help\nand more', { say: '/help\nand more' }],
    ['say /help', { say: 'say /help' }],
  ])('%j', (text, typed) => {
    expect(readTypedLine(text)).toEqual(typed);
  });
});
