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
    ['/etc/hosts\nis wrong', { say: '/etc/hosts\nis wrong' }],
    ['/', { command: '', words: [] }],
    ['/ ', { command: '', words: [] }],
    ['/ 2', { command: '', words: ['2'] }],
    ['/help\nand more', { command: 'help', words: ['and', 'more'] }],
    ['/rename a\nb', { command: 'rename', words: ['a', 'b'] }],
    ['say /help', { say: 'say /help' }],
  ])('%j', (text, typed) => {
    expect(readTypedLine(text)).toEqual(typed);
  });
});
