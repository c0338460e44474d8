// Reads a shell text far enough to say which commands it runs, for the rules that allow commands. What it returns is exactly what
// bash and sh would run; whatever it is not sure of it calls opaque, and then a person has to look. One pass, linear time.

/** What a shell text runs. */
export type ParsedShell =
  | {
      /** The words of each command, after quote removal, in the order of the text. `&&` and `||` may skip some of them. */
      commands: string[][];
      /** Whether an argument holds an unquoted `~`, `*`, `?` or `[`, which the shell may turn into other words. */
      expands: boolean;
    }
  | {
      /** Why the text was not understood: a short English phrase, a noun. */
      opaque: string;
    };

/** The simple commands of a text that joins them only by `&&`, `||`, `;`, `|` and new lines; anything else is opaque. */
export function parseShell(text: string): ParsedShell {
  const strange = strangeCharacter.exec(text);
  if (strange) return { opaque: nameOfStrange(strange[0]) };
  try {
    return readCommands(new Lexer(text));
  } catch (error) {
    if (error instanceof Opaque) return { opaque: error.reason };
    throw error;
  }
}

/** Separators, controls, formats, halves of surrogate pairs, private and unassigned characters; but for space, tab and new line. */
const strangeCharacter = /(?![ \t\n])[\p{Z}\p{C}]/u;

const reservedWords = new Set(
  'if then elif else fi for while until do done case esac in select function time coproc ! [[ ]] { }'.split(' '),
);

interface Word {
  text: string;
  /** Has an unquoted character that the shell may expand. */
  expands: boolean;
  /** Has an unquoted `=`. */
  assigns: boolean;
}

/** `|`, `&&` and `||` ask for another command, `;` and a new line do not. */
type Token = { word: Word } | { operator: '&&' | '||' | '|' | ';' | '\n' } | { end: true };

class Opaque extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

function readCommands(lexer: Lexer): ParsedShell {
  const commands: string[][] = [];
  let expands = false;
  let words: string[] = [];
  /** The operator that waits for its right side. */
  let open = false;
  for (;;) {
    const token = lexer.next();
    if ('word' in token) {
      if (words.length === 0) checkCommandWord(token.word);
      expands ||= token.word.expands;
      words.push(token.word.text);
      continue;
    }
    if (words.length > 0) commands.push(words);
    else if ('end' in token ? open : token.operator !== '\n') throw new Opaque('an empty command');
    if ('end' in token) break;
    open = words.length === 0 ? open : token.operator !== ';' && token.operator !== '\n';
    words = [];
  }
  return commands.length > 0 ? { commands, expands } : { opaque: 'no command' };
}

function checkCommandWord(word: Word): void {
  if (word.text === '') throw new Opaque('an empty command word');
  if (word.assigns) throw new Opaque('an assignment');
  if (word.expands) throw new Opaque('a tilde or a pattern in the command word');
  if (word.text.startsWith('%')) throw new Opaque('a job');
  if (reservedWords.has(word.text)) throw new Opaque(`the reserved word ${word.text}`);
}

/** Unquoted characters that make a text opaque wherever they stand. */
const refusedCharacters: Readonly<Record<string, string>> = {
  $: 'an expansion ($)',
  '`': 'a command substitution (`)',
  '<': 'a redirection (<)',
  '>': 'a redirection (>)',
  '(': 'a parenthesis',
  ')': 'a parenthesis',
  '{': 'a brace',
  '}': 'a brace',
  '!': 'an exclamation mark',
};

class Lexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++;
    const first = this.#peek();
    if (first === undefined) return { end: true };
    if (first === '#') throw new Opaque('a comment');
    if (first === '&' || first === '|' || first === ';' || first === '\n') return { operator: this.#operator(first) };
    return { word: this.#word() };
  }

  #operator(first: '&' | '|' | ';' | '\n'): '&&' | '||' | '|' | ';' | '\n' {
    this.#at++;
    const second = this.#peek();
    if (first === '&') {
      if (second !== '&') throw new Opaque('a command in the background (&)');
      this.#at++;
      return '&&';
    }
    if (first === '|' && second === '&') throw new Opaque('a redirection (|&)');
    if (first === '|' && second === '|') {
      this.#at++;
      return '||';
    }
    return first;
  }

  #word(): Word {
    const word: Word = { text: '', expands: false, assigns: false };
    for (;;) {
      const character = this.#peek();
      if (character === undefined || ' \t\n&|;'.includes(character)) return word;
      this.#at++;
      const refused = refusedCharacters[character];
      if (refused !== undefined) throw new Opaque(refused);
      if (character === "'") word.text += this.#singleQuoted();
      else if (character === '"') word.text += this.#doubleQuoted();
      else if (character === '\\') word.text += this.#escaped();
      else {
        if ('~*?['.includes(character)) word.expands = true;
        if (character === '=') word.assigns = true;
        word.text += character;
      }
    }
  }

  #singleQuoted(): string {
    const end = this.#text.indexOf("'", this.#at);
    if (end < 0) throw new Opaque('a quote without its end');
    const inside = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return inside;
  }

  #doubleQuoted(): string {
    let inside = '';
    for (;;) {
      const character = this.#take('a quote without its end');
      if (character === '"') return inside;
      if (character === '$' || character === '`' || character === '!') throw new Opaque(refusedCharacters[character] as string);
      if (character !== '\\') inside += character;
      else {
        const next = this.#take('a quote without its end');
        if (next === '\n') throw new Opaque('a line continuation');
        if (next === '!') throw new Opaque(refusedCharacters['!'] as string);
        inside += '$`"\\'.includes(next) ? next : `\\${next}`;
      }
    }
  }

  #escaped(): string {
    const character = this.#take('a backslash at the end');
    if (character === '\n') throw new Opaque('a line continuation');
    return character;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(orElse: string): string {
    const character = this.#text[this.#at++];
    if (character === undefined) throw new Opaque(orElse);
    return character;
  }
}

function nameOfStrange(character: string): string {
  if (character === '\0') return 'a NUL character';
  if (character === '\r') return 'a carriage return';
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return `an invisible character (U+${code})`;
}
