import { describe, expect, it } from 'vitest';
import { readTypedLine } from './slash-line.ts';

describe('a typed line', () => {
  it.each([
    ['/help', { command: 'help', words: [] }],
    ['/QUIT now', { command: 'quit', words: ['now'] }],
    ['/rename  My  title ', { command: 'rename', words: ['My', 'title'] }],
    ['/model gpt', { command: 'model', words: ['gpt'] }],
    ['/帮助', { command: '帮助', words: [] }],
    ['/?', { command: '?', words: [] }],
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
