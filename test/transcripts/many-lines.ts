// Long sessions of Claude Code, made for tests: questions and answers that can be told apart.
import { closeSync, openSync, writeSync } from 'node:fs';

export function questionLine(number: number, text = `Question ${number}?`): string {
  return line('user', number, { role: 'user', content: text });
}

export function answerLine(number: number, text = `Answer ${number}.`): string {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', usage };
  return line('assistant', number, { ...message, content: [{ type: 'text', text }] });
}

/** Questions and answers in turn, written in blocks; returns how many bytes. */
export function writeTalk(path: string, count: number, textOf: (number: number) => string): number {
  const file = openSync(path, 'w');
  let bytes = 0;
  let block = '';
  for (let number = 1; number <= count; number += 1) {
    block += `${number % 2 === 1 ? questionLine(number, textOf(number)) : answerLine(number, textOf(number))}\n`;
    if (block.length < 1024 * 1024 && number < count) continue;
    bytes += writeSync(file, block);
    block = '';
  }
  closeSync(file);
  return bytes;
}

function line(type: string, number: number, message: object): string {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  const common = {
    uuid,
    timestamp,
    userType: 'external',
    cwd: '/home/dev/code/long',
    sessionId,
    version: '2.1.325',
    gitBranch: 'main',
  };
  return JSON.stringify({ parentUuid: null, isSidechain: false, type, message, ...common });
}

export const sessionId = 'cccccccc-0000-4000-8000-000000000000';
