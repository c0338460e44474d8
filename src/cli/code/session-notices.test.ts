import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sessionNoticeMessages } from '../../snapshot/session-notice.ts';
import type { Context } from '../context.ts';
import { codeEn } from '../messages/code-en.ts';
import { codeZh } from '../messages/code-zh.ts';
import { en } from '../messages/en.ts';
import type { Messages } from '../messages/messages.ts';
import { zh } from '../messages/zh.ts';
import { createStyle } from '../output/style.ts';
import { describeNotice, NoticeDesk } from './session-notices.ts';

const contextOf = (text: Messages): Context =>
  ({ text, style: createStyle(false), now: () => Date.parse('2026-01-02T12:03:00Z') }) as unknown as Context;

const restored = {
  level: 'info',
  code: 'session-restored',
  details: { path: '/p/s.json', savedAt: '2026-01-02T12:00:00Z', messages: 1, bytes: 2048 },
  text: 'as it was said',
} as const;

describe('notices of saving and restoring', () => {
  it('have a sentence in both languages, with the same details, for every code there is', () => {
    const source = readFileSync(new URL('../../code-agent/restore-notices.ts', import.meta.url), 'utf8');
    const own = [...source.matchAll(/^ {2}'(code-[\w-]+)':/gm)].map(([, code]) => code ?? '');
    expect(own.length).toBeGreaterThan(2);
    const codes = [...Object.keys(sessionNoticeMessages), ...own].sort();
    for (const notices of [codeEn.code.notices, codeZh.code.notices]) expect(Object.keys(notices).sort()).toEqual(codes);
    const placesOf = (notices: Readonly<Record<string, string>>) =>
      codes.map((code) => [code, [...(notices[code] ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()]);
    expect(placesOf(codeZh.code.notices)).toEqual(placesOf(codeEn.code.notices));
  });

  it('tell moments, sizes and numbers as people read them', () => {
    expect(describeNotice(contextOf(en), restored)).toBe('Restored from /p/s.json: saved 3 minutes ago, 1 message, 2.0 KiB.');
    expect(describeNotice(contextOf(zh), restored)).toBe('已从 /p/s.json 恢复会话（3 分钟前保存，1 条消息，2.0 KiB）。');
  });

  it('of an error are its sentence; of an unknown code, what was said', () => {
    const failed = { level: 'error', code: 'disk-full', details: { path: '/p' }, text: 'no room' } as const;
    expect(describeNotice(contextOf(zh), failed)).toContain('/p');
    expect(describeNotice(contextOf(zh), { ...failed, code: 'own-code' })).toBe('no room');
  });

  it('are told once however often a session is saved, and kept for programs', () => {
    const shown: string[] = [];
    const desk = new NoticeDesk(
      contextOf(en),
      (line) => shown.push(line),
      () => false,
    );
    const failed = { level: 'error', code: 'session-state-failed', details: { reason: 'it broke' }, text: 'x' } as const;
    for (const notice of [failed, failed, restored]) desk.take(notice);
    desk.take({ level: 'info', code: 'session-saved', details: { path: '/p/s.json', messages: 2 }, text: 'x' });
    expect(shown.length).toBe(2);
    expect(desk.told.map(({ code }) => code)).toEqual(['session-state-failed', 'session-restored']);
    expect(desk.saved?.code).toBe('session-saved');
  });
});
