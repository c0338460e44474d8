// What a terminal sends, as keys: text, named keys and whole pastes. Sequences may come in pieces and several in one piece; nothing
// of a paste is ever taken for a key.

export type KeyName =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'tab'
  | 'shift-tab'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'word-left'
  | 'word-right'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down'
  | 'delete-word'
  | 'delete-to-start'
  | 'delete-to-end'
  | 'interrupt'
  | 'end-of-input'
  | 'redraw'
  | 'unknown';

export type Key = { name: KeyName } | { name: 'text' | 'paste'; text: string };

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
/** A terminal that stays silent in the middle of a sequence will not end it. */
const longestSequence = 32;

export class KeyDecoder {
  #rest = '';
  #pasted: string | undefined;

  push(chunk: string): Key[] {
    this.#rest += chunk;
    const keys: Key[] = [];
    while (this.#rest !== '') {
      const key = this.#pasted === undefined ? this.#takeKey() : this.#takePaste();
      if (key === undefined) break;
      if (key !== 'more') keys.push(key);
    }
    return keys;
  }

  /** Whether the beginning of a sequence waits for its end: an Esc alone looks the same. */
  get isWaiting(): boolean {
    return this.#rest !== '' && this.#pasted === undefined;
  }

  /** Nothing more came: what waits was meant as it is. */
  flush(): Key[] {
    const waiting = this.#rest;
    this.#rest = '';
    if (waiting === '') return [];
    return waiting === '\x1b' || waiting === '\x1b\x1b' ? [{ name: 'escape' }] : [{ name: 'unknown' }];
  }

  #takePaste(): Key | undefined {
    const end = this.#rest.indexOf(pasteEnd);
    if (end < 0) {
      // The end may be cut in two.
      const kept = Math.max(0, this.#rest.length - (pasteEnd.length - 1));
      this.#pasted += this.#rest.slice(0, kept);
      this.#rest = this.#rest.slice(kept);
      return undefined;
    }
    const text = (this.#pasted ?? '') + this.#rest.slice(0, end);
    this.#pasted = undefined;
    this.#rest = this.#rest.slice(end + pasteEnd.length);
    return { name: 'paste', text: text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') };
  }

  #takeKey(): Key | 'more' | undefined {
    if (this.#rest.startsWith(pasteStart)) {
      this.#rest = this.#rest.slice(pasteStart.length);
      this.#pasted = '';
      return 'more';
    }
    if (this.#rest.startsWith('\x1b')) return this.#takeSequence();
    const text = printable.exec(this.#rest)?.[0];
    if (text !== undefined) return this.#take(text.length, { name: 'text', text });
    const control = this.#rest[0] as string;
    return this.#take(1, { name: controls[control] ?? 'unknown' });
  }

  #takeSequence(): Key | undefined {
    const found = sequence.exec(this.#rest)?.[0];
    if (found !== undefined) return this.#take(found.length, { name: nameSequence(found) });
    if (this.#rest.length > longestSequence) return this.#take(1, { name: 'escape' });
    if (unfinished.test(this.#rest)) return undefined;
    // Alt and a key.
    const rest = this.#rest.slice(1);
    const [character = ''] = rest;
    if (character === '\x1b') return this.#take(1, { name: 'escape' });
    return this.#take(1 + character.length, { name: altered[character] ?? 'unknown' });
  }

  #take<Result>(length: number, result: Result): Result {
    this.#rest = this.#rest.slice(length);
    return result;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const printable = /^[^\u0000-\u001f\u007f]+/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const sequence = /^\x1b\x1b?(?:\[[\d;?<]*[A-Za-z~^$]|O[A-Za-z])/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const unfinished = /^\x1b\x1b?(?:\[[\d;?<]*|O)?$/;

const controls: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x06': 'right',
  '\x0b': 'delete-to-end',
  '\x0c': 'redraw',
  '\x0e': 'down',
  '\x10': 'up',
  '\x15': 'delete-to-start',
  '\x17': 'delete-word',
};

/** With Alt. */
const altered: Readonly<Record<string, KeyName>> = {
  '\r': 'newline',
  '\n': 'newline',
  '\x7f': 'delete-word',
  b: 'word-left',
  f: 'word-right',
};

const letters: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  Z: 'shift-tab',
};

const numbers: Readonly<Record<string, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
};

/** By code point, for terminals that tell every key with its modifiers. */
const codePoints: Readonly<Record<string, KeyName>> = { 9: 'tab', 13: 'enter', 27: 'escape', 127: 'backspace' };

function nameSequence(found: string): KeyName {
  const [, parameters = '', final = ''] = /(?:\[|O)([\d;?<]*)(.)$/.exec(found) ?? [];
  const [first = '', second = '', third = ''] = parameters.split(';');
  const isModified = Number(second || '1') > 1;
  const isWordwise = isModified && second !== '2';
  if (final === 'u') return nameCode(first, second);
  if (final === '~' && first === '27') return nameCode(third, second);
  const name = final === '~' ? numbers[first] : letters[final];
  if (name === 'left' && (isWordwise || found.startsWith('\x1b\x1b'))) return 'word-left';
  if (name === 'right' && (isWordwise || found.startsWith('\x1b\x1b'))) return 'word-right';
  return name ?? 'unknown';
}

/** A key by its code point; the modifiers are a sum, plus one: Shift 1, Alt 2, Ctrl 4. */
function nameCode(code: string, modifiers: string): KeyName {
  const held = Number(modifiers.split(':')[0] || '1') - 1;
  if (code === '13' && held > 0) return 'newline';
  if (code === '9' && (held & 1) === 1) return 'shift-tab';
  if ((held & 4) === 4) return controls[String.fromCharCode(Number(code) & 0x1f)] ?? 'unknown';
  if ((held & 2) === 2) return altered[String.fromCodePoint(Number(code))] ?? 'unknown';
  return codePoints[code] ?? 'unknown';
}
