// What is wrong with a text that is no JSON, and where: the parser of the system does not always tell. In sentences of ours, so that
// they can be put into another language. One pass, however deep the text is nested.

export interface JsonMistake {
  offset: number;
  reason: string;
}

/** Undefined where there is none. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const open: ('{' | '[')[] = [];
  let awaited: Awaited = 'value';
  /** Behind the last thing that was right: what is missing, is missing there. */
  let behind = 0;
  for (let at = 0; ; ) {
    at = skip(space, text, at);
    const character = text[at];
    const around = open.at(-1);
    if (character === undefined) return awaited === 'end' ? undefined : { offset: text.trimEnd().length, reason: endsTooEarly };
    if (awaited === 'end') return { offset: at, reason: 'there is more behind the end' };
    if (character === closerOf(around) && awaited !== 'colon' && awaited !== 'field value') {
      if (awaited === 'value' || awaited === 'name') return { offset: behind - 1, reason: 'there is a comma too many' };
      open.pop();
      at += 1;
      awaited = open.length === 0 ? 'end' : 'comma';
    } else if (awaited === 'comma') {
      if (character !== ',') return { offset: behind - 1, reason: around === '{' ? missingInObject : missingInList };
      at += 1;
      awaited = around === '{' ? 'name' : 'value';
    } else if (awaited === 'colon') {
      if (character !== ':') return { offset: behind - 1, reason: 'a colon is missing behind the name of a field' };
      at += 1;
      awaited = 'field value';
    } else if (awaited === 'name' || awaited === 'first name') {
      if (character !== '"') return { offset: at, reason: 'the name of a field must be in double quotation marks' };
      const end = readText(text, at);
      if (typeof end !== 'number') return end;
      at = end;
      awaited = 'colon';
    } else if (character === '{' || character === '[') {
      open.push(character);
      at += 1;
      awaited = character === '{' ? 'first name' : 'first value';
    } else {
      const end = character === '"' ? readText(text, at) : skip(plainValue, text, at);
      if (typeof end !== 'number') return end;
      if (end === at || /[\p{L}\p{N}_]/u.test(text[end] ?? '')) return { offset: at, reason: noValue };
      at = end;
      awaited = open.length === 0 ? 'end' : 'comma';
    }
    behind = at;
  }
}

/** `first …` where the list or the object may end as well. */
type Awaited = 'value' | 'first value' | 'field value' | 'name' | 'first name' | 'colon' | 'comma' | 'end';

const endsTooEarly = 'the file ends too early: a quotation mark or a bracket is not closed';
const missingInObject = 'a comma or the closing } is missing';
const missingInList = 'a comma or the closing ] is missing';
const noValue = 'this is no value; text must be in double quotation marks';
const space = /[ \t\r\n]*/y;
const plainValue = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|/y;
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

function closerOf(opener: '{' | '[' | undefined): string | undefined {
  return opener === undefined ? undefined : opener === '{' ? '}' : ']';
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Behind its closing quotation mark. */
function readText(text: string, start: number): number | JsonMistake {
  for (let at = start + 1; at < text.length; ) {
    const character = text[at] as string;
    if (character === '"') return at + 1;
    if (character < ' ') {
      const isEnd = character === '\n' || character === '\r';
      return { offset: at - 1, reason: isEnd ? 'the closing quotation mark is missing' : 'a control character is in a text' };
    }
    const end = character === '\\' ? skip(escaped, text, at) : at + 1;
    if (end === at) return { offset: at, reason: 'a backslash stands before something it does not go with' };
    at = end;
  }
  return { offset: text.length, reason: endsTooEarly };
}
