// From a key of the caller's choosing to a path inside the store and back. Reversible and collision-free also where the file system
// ignores case, normalises Unicode or reserves names; no part is hidden, climbs up or is longer than file systems allow.

const extension = '.jsonl';
/** Marks a folder that holds the rest of a long name; no encoded name ends with it. */
const continuation = '+';
const maxPartLength = 200;
/** Above this the readable spelling could outgrow the system's limit for whole paths (4096), and the dense one is used. */
const maxReadableLength = 1800;
const denseMark = '%w';

const plainCharacter = /^[a-z0-9_.-]$/;
const reservedOnWindows = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/;

/** The path for a key, relative, with `/` between its parts. Everything but `a-z 0-9 _ . -` is written as %xx of its UTF-8. */
export function encodeFileName(key: string): string {
  const readable = Array.from(key, encodeCharacter);
  const isLong = readable.reduce((length, token) => length + token.length, 0) > maxReadableLength;
  const parts = splitParts(isLong ? [denseMark, ...packUnits(key)] : readable);
  const safe = parts.map((text) => (reservedOnWindows.test(text) ? escapeFirst(text) : text));
  return [...safe.slice(0, -1).map((text) => text + continuation), safe.at(-1) + extension].join('/');
}

/** The key whose path this is; undefined where no key has it. */
export function decodeFileName(path: string): string | undefined {
  if (!path.endsWith(extension)) return undefined;
  const encoded = path.slice(0, -extension.length).replaceAll(`${continuation}/`, '');
  const key = encoded.startsWith(denseMark) ? unpackUnits(encoded.slice(denseMark.length)) : decodeCharacters(encoded);
  // Only the one spelling that encoding gives counts, so that no two files can claim one key.
  return key !== undefined && encodeFileName(key) === path ? key : undefined;
}

function splitParts(tokens: Iterable<string>): string[] {
  const parts: string[] = [];
  let part = '';
  for (const token of tokens) {
    if (part.length + token.length > maxPartLength) {
      parts.push(part);
      part = '';
    }
    part += part === '' && token === '.' ? '%2e' : token;
  }
  return [...parts, part === '' ? '%' : part];
}

function encodeCharacter(character: string): string {
  if (plainCharacter.test(character)) return character;
  const code = character.codePointAt(0) as number;
  // Half a surrogate pair has no UTF-8: written by its number, or two such keys would share a file.
  if (code >= 0xd800 && code <= 0xdfff) return `%u${code.toString(16)}`;
  return Buffer.from(character, 'utf8').toString('hex').replace(/../g, '%$&');
}

function decodeCharacters(encoded: string): string | undefined {
  if (encoded === '%') return '';
  if (!/^(?:[a-z0-9_.-]|%[0-9a-f]{2}|%u[0-9a-f]{4})*$/.test(encoded)) return undefined;
  return encoded.replace(/((?:%[0-9a-f]{2})+)|%u([0-9a-f]{4})/g, (_, bytes: string | undefined, half: string) =>
    bytes === undefined
      ? String.fromCharCode(Number.parseInt(half, 16))
      : Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/** UTF-16 units at five bits a character: a third of the length of %xx for CJK text. */
function* packUnits(key: string): Generator<string> {
  let bits = 0;
  let count = 0;
  for (let i = 0; i < key.length; i++) {
    bits = (bits << 16) | key.charCodeAt(i);
    count += 16;
    for (; count >= 5; count -= 5) yield ((bits >>> (count - 5)) & 31).toString(32);
    bits &= (1 << count) - 1;
  }
  if (count > 0) yield ((bits << (5 - count)) & 31).toString(32);
}

function unpackUnits(text: string): string | undefined {
  let key = '';
  let bits = 0;
  let count = 0;
  for (const character of text) {
    const digit = Number.parseInt(character, 32);
    if (Number.isNaN(digit)) return undefined;
    bits = (bits << 5) | digit;
    count += 5;
    if (count >= 16) {
      count -= 16;
      key += String.fromCharCode((bits >>> count) & 0xffff);
      bits &= (1 << count) - 1;
    }
  }
  return key;
}

function escapeFirst(text: string): string {
  return `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
}
