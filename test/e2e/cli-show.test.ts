// What people are shown beside the words: events only where everything is asked for, and an answer that is still being written.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewEntry } from '../../src/model/entry.ts';
import { Cli } from './cli-program.ts';

const at = Date.UTC(2026, 0, 2, 3, 4);
const when = '2026-01-02 03:04';
const event: NewEntry = { kind: 'event', name: 'turn-end', code: 'ok', counts: { calls: 2, tokens: 31 }, text: 'all\ndone', at };

function say(text: string): NewEntry {
  return { kind: 'message', role: 'user', text, at };
}

/** Everything below the head. */
function body({ stdout }: { stdout: string }): string[] {
  return stdout.split('\n').slice(3);
}

describe('events', () => {
  it('are left out of a conversation to read unless it is shown in full, and JSON has them all', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    await store.append(id, [say('one'), event, event, say('two'), event]);
    expect(body(await cli.run(['show', id]))).toEqual([`[1] user · ${when}`, 'one', '', `[4] user · ${when}`, 'two', '', '']);
    expect(body(await cli.run(['show', id, '--full', '--tail', '2']))).toEqual([
      expect.stringMatching(/^Entries up to 3 come before/),
      '',
      `[4] user · ${when}`,
      'two',
      '',
      `[5] turn-end · ok · calls 2 · tokens 31 · all done · ${when}`,
      '',
      '',
    ]);
    const { entries } = await cli.json<{ entries: { kind: string }[] }>(['show', id]);
    expect(entries.map(({ kind }) => kind)).toEqual(['message', 'event', 'event', 'message', 'event']);
  });

  it('do not count among the entries that were asked for', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    await store.append(id, [say('zero'), ...Array.from({ length: 300 }, () => event), say('one'), event, say('two'), event]);
    const shown = async (tail: string) => body(await cli.run(['show', id, '--tail', tail])).filter((line) => /^\w+$/.test(line));
    expect([await shown('1'), await shown('2'), await shown('3'), await shown('9')]).toEqual([
      ['two'],
      ['one', 'two'],
      ['zero', 'one', 'two'],
      ['zero', 'one', 'two'],
    ]);
    expect(body(await cli.run(['show', id, '--tail', '2']))[0]).toMatch(/^Entries up to 301 come before/);
    expect(body(await cli.run(['show', id, '--tail', '3']))[0]).toBe(`[1] user · ${when}`);
  });

  it('are what is left of a conversation whose policy keeps nothing else, and the list does not call it empty', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create({ policy: { kind: 'none' } });
    await store.append(id, [say('not kept'), event]);
    expect(body(await cli.run(['show', id]))).toEqual(['(1 event and no words; --full shows them)', '']);
    expect(body(await cli.run(['show', id, '--full']))).toEqual([`[1] turn-end · ok · calls 2 · tokens 31 · ${when}`, '', '']);
    expect((await cli.run(['list'])).stdout).toContain('(text withheld)');
  });

  it('are in exports for programs, and not in those for people', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    await store.append(id, [say('one'), event]);
    const exported = async (name: string) => {
      const file = join(cli.folder, name);
      const { entries } = await cli.json<{ entries: number }>(['export', id, '-o', file]);
      return { entries, hasEvent: (await readFile(file, 'utf8')).includes('turn-end') };
    };
    expect([await exported('a.md'), await exported('a.json'), await exported('a.jsonl')]).toEqual([
      { entries: 1, hasEvent: false },
      { entries: 2, hasEvent: true },
      { entries: 2, hasEvent: true },
    ]);
  });
});

describe('an answer that is not finished', () => {
  it('is shown at the end and marked, in both languages and for programs, until it is ended', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    await store.append(id, say('question'));
    const draft = { kind: 'message', role: 'assistant', text: 'half an\nanswer', interrupted: true, at } as const;
    await store.putDraft(id, draft);
    const head = [`[1] user · ${when}`, 'question', ''];
    const half = [`[…] assistant · ${when}`, 'half an', 'answer'];
    expect(body(await cli.run(['show', id]))).toEqual([
      ...head,
      ...half,
      '(not finished: it is being written, or was interrupted)',
      '',
      '',
    ]);
    expect((await cli.run(['show', id, '--lang', 'zh'])).stdout).toContain('\n（未完成：正在书写，或已中断）\n');
    expect(await cli.json(['show', id])).toMatchObject({ entries: [{ text: 'question' }], draft: { ...draft, after: 1 } });
    expect(body(await cli.run(['show', id, '--before', '2']))).toEqual([...head, '']);
    expect(Object.keys(await cli.json(['show', id, '--before', '2']))).toEqual(['conversation', 'before', 'entries']);
    await store.append(id, { ...draft, interrupted: false }, { endsDraft: true });
    expect(body(await cli.run(['show', id])).filter((line) => line.startsWith('['))).toEqual([
      `[1] user · ${when}`,
      `[2] assistant · ${when}`,
    ]);
  });

  it('is shown also where nothing else was said', async () => {
    const cli = new Cli();
    await using store = await cli.open();
    const { id } = await store.create();
    await store.putDraft(id, { kind: 'message', role: 'assistant', text: 'alone', at });
    expect(body(await cli.run(['show', id]))).toEqual([
      `[…] assistant · ${when}`,
      'alone',
      '(not finished: it is being written, or was interrupted)',
      '',
      '',
    ]);
  });
});
