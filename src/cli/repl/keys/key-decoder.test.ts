import { describe, expect, it } from 'vitest';
import { type Key, KeyDecoder } from './key-decoder.ts';

function decode(...chunks: string[]): Key[] {
  const decoder = new KeyDecoder();
  return chunks.flatMap((chunk) => decoder.push(chunk));
}

describe('KeyDecoder', () => {
  it('takes text of any script as it is, several characters in one piece', () => {
    expect(decode('hello 你好 👩‍💻')).toEqual([{ name: 'text', text: 'hello 你好 👩‍💻' }]);
  });

  it('tells a line end from sending in every way terminals know', () => {
    const names = ['\r', '\n', '\x1b\r', '\x1b\n', '\x1b[13;2u', '\x1b[27;2;13~', '\x1b[13u'].map(
      (chunk) => decode(chunk)[0]?.name,
    );
    expect(names).toEqual(['enter', 'newline', 'newline', 'newline', 'newline', 'newline', 'enter']);
  });

  it('knows the keys that move, in the dialects of terminals', () => {
    const chunks = [
      '\x1b[A',
      '\x1bOB',
      '\x1b[C',
      '\x1b[1;5D',
      '\x1b[1;3C',
      '\x1bb',
      '\x1b[H',
      '\x1b[4~',
      '\x1b[5~',
      '\x1b[Z',
      '\x1b[3~',
    ];
    expect(chunks.map((chunk) => decode(chunk)[0]?.name)).toEqual([
      ...['up', 'down', 'right', 'word-left', 'word-right', 'word-left', 'home', 'end', 'page-up', 'shift-tab', 'delete'],
    ]);
  });

  it('takes a paste as one key, also where it comes in pieces and holds sequences', () => {
    expect(decode('a\x1b[200~one\r\ntwo\x1b[A', '\tthree\x1b[20', '1~b')).toEqual([
      { name: 'text', text: 'a' },
      { name: 'paste', text: 'one\ntwo\x1b[A\tthree' },
      { name: 'text', text: 'b' },
    ]);
  });

  it('waits for the end of a sequence and takes Esc alone where none comes', () => {
    const decoder = new KeyDecoder();
    expect([decoder.push('\x1b'), decoder.isWaiting, decoder.flush(), decoder.isWaiting]).toEqual([
      [],
      true,
      [{ name: 'escape' }],
      false,
    ]);
    expect([decoder.push('\x1b['), decoder.push('A')]).toEqual([[], [{ name: 'up' }]]);
    expect(decode('\x1b\x1b[D')).toEqual([{ name: 'word-left' }]);
  });

  it('passes over keys it does not know', () => {
    expect(decode('\x1b[19~x\x1b[?62c')).toEqual([{ name: 'unknown' }, { name: 'text', text: 'x' }, { name: 'unknown' }]);
  });
});
