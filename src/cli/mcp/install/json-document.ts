// A JSON text with comments and trailing commas, as editors allow them, with the place of every value. For edits that change one member
// and leave every other character as it is.

export type JsonNode =
  | { type: 'object'; start: number; end: number; members: JsonMember[] }
  | { type: 'array'; start: number; end: number; items: JsonNode[] }
  | { type: 'plain'; start: number; end: number; value: string | number | boolean | null };

export interface JsonMember {
  key: string;
  /** Where the key begins. */
  start: number;
  value: JsonNode;
  /** Where the comma after it stands; undefined where there is none. */
  comma: number | undefined;
}

/** What can be wrong with a text; in words in the messages. */
export type JsonMistakeKind = 'rest' | 'comment' | 'depth' | 'comma' | 'name' | 'colon' | 'value' | 'object';

export class JsonMistake extends Error {
  readonly line: number;
  readonly kind: JsonMistakeKind;
  constructor(line: number, kind: JsonMistakeKind) {
    super(kind);
    this.line = line;
    this.kind = kind;
  }
}

const deepest = 200;

/** Throws {@link JsonMistake}. A byte order mark at the beginning is none. */
export function parseDocument(text: string): JsonNode {
  const reader = new Reader(text);
  reader.skip();
  const root = reader.value(0);
  reader.skip();
  if (reader.at < text.length) throw reader.mistake('rest');
  return root;
}

/** As plain data; of members with one name the last counts. */
export function toData(node: JsonNode): unknown {
  if (node.type === 'plain') return node.value;
  if (node.type === 'array') return node.items.map(toData);
  const entries = node.members.map(({ key, value }) => [key, toData(value)] as const);
  return Object.fromEntries(entries);
}

class Reader {
  at: number;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.at = text.startsWith('\ufeff') ? 1 : 0;
  }

  mistake(kind: JsonMistakeKind): JsonMistake {
    return new JsonMistake(this.#text.slice(0, this.at).split('\n').length, kind);
  }

  /** White space and comments. */
  skip(): void {
    for (;;) {
      const rest = /\s*/y;
      rest.lastIndex = this.at;
      this.at += rest.exec(this.#text)?.[0].length ?? 0;
      if (this.#text.startsWith('//', this.at)) {
        const end = this.#text.indexOf('\n', this.at);
        this.at = end < 0 ? this.#text.length : end;
      } else if (this.#text.startsWith('/*', this.at)) {
        const end = this.#text.indexOf('*/', this.at + 2);
        if (end < 0) throw this.mistake('comment');
        this.at = end + 2;
      } else return;
    }
  }

  value(depth: number): JsonNode {
    if (depth > deepest) throw this.mistake('depth');
    const character = this.#text[this.at];
    if (character === '{') return this.#object(depth);
    if (character === '[') return this.#array(depth);
    return this.#plain();
  }

  #object(depth: number): JsonNode {
    const start = this.at++;
    const members: JsonMember[] = [];
    for (;;) {
      this.skip();
      if (this.#text[this.at] === '}') return { type: 'object', start, end: ++this.at, members };
      const last = members.at(-1);
      if (last && last.comma === undefined) throw this.mistake('comma');
      const at = this.at;
      if (this.#text[at] !== '"') throw this.mistake('name');
      const key = this.#plain();
      this.skip();
      if (this.#text[this.at] !== ':') throw this.mistake('colon');
      this.at += 1;
      this.skip();
      const value = this.value(depth + 1);
      this.skip();
      members.push({ key: String((key as { value: unknown }).value), start: at, value, comma: this.#comma() });
    }
  }

  #array(depth: number): JsonNode {
    const start = this.at++;
    const items: JsonNode[] = [];
    let isOpen = true;
    for (;;) {
      this.skip();
      if (this.#text[this.at] === ']') return { type: 'array', start, end: ++this.at, items };
      if (!isOpen) throw this.mistake('comma');
      items.push(this.value(depth + 1));
      this.skip();
      isOpen = this.#comma() !== undefined;
    }
  }

  #comma(): number | undefined {
    return this.#text[this.at] === ',' ? this.at++ : undefined;
  }

  #plain(): JsonNode {
    const token = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
    token.lastIndex = this.at;
    const found = token.exec(this.#text)?.[0];
    if (found === undefined) throw this.mistake('value');
    try {
      const node: JsonNode = { type: 'plain', start: this.at, end: this.at + found.length, value: JSON.parse(found) };
      this.at += found.length;
      return node;
    } catch {
      throw this.mistake('value');
    }
  }
}
