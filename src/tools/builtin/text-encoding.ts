// What the bytes of a file say: text in one of the encodings that project files have, a picture, or something binary.
// Invariant: an edit writes a file back in the encoding it had, and refuses where that would change a byte nobody asked to change.
import { encodeGb18030 } from './gb18030.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'iso-8859-1';

export interface TextForm {
  encoding: Encoding;
  /** It begins with a byte order mark, which is no part of the text. */
  bom: boolean;
  /** Some bytes are not text in this encoding and read as U+FFFD: it can be read but not written back. */
  damaged?: boolean;
}

export interface DecodedText extends TextForm {
  text: string;
}

/** The kind of picture or document by its first bytes; undefined for everything else. */
export function findMediaKind(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  return mediaKinds.find(({ at = 0, starts }) => starts.some((start) => head.startsWith(start, at)))?.name;
}

const mediaKinds: readonly { name: string; at?: number; starts: readonly string[] }[] = [
  { name: 'a PNG image', starts: ['\x89PNG\r\n'] },
  { name: 'a JPEG image', starts: ['\xff\xd8\xff'] },
  { name: 'a GIF image', starts: ['GIF87a', 'GIF89a'] },
  { name: 'a WebP image', at: 8, starts: ['WEBPVP8'] },
  { name: 'a TIFF image', starts: ['II*\0', 'MM\0*'] },
  { name: 'an AVIF or HEIC image', at: 4, starts: ['ftypavif', 'ftypheic', 'ftypheix', 'ftypmif1'] },
  { name: 'an icon image', starts: ['\0\0\x01\0'] },
  { name: 'a PDF document', starts: ['%PDF-'] },
];

/** How the text is written; undefined where the bytes are no text. `cut`: these are the first bytes of more. */
export function findTextForm(bytes: Uint8Array, cut = false): TextForm | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return isDecodable('utf-8', bytes, cut) ? { encoding: 'utf-8', bom: true } : { encoding: 'utf-8', bom: true, damaged: true };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', bom: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', bom: true };
  if (looksBinary(bytes)) return undefined;
  if (isDecodable('utf-8', bytes, cut)) return { encoding: 'utf-8', bom: false };
  if (looksChinese(bytes) && isDecodable('gb18030', bytes, cut)) return { encoding: 'gb18030', bom: false };
  if (isMostlyUtf8(bytes)) return { encoding: 'utf-8', bom: false, damaged: true };
  return { encoding: 'iso-8859-1', bom: false };
}

export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const form = findTextForm(bytes);
  if (!form) return undefined;
  const body = form.bom ? bytes.subarray(form.encoding === 'utf-8' ? 3 : 2) : bytes;
  return { ...form, text: createDecoder(form.encoding).decode(body) };
}

/** The bytes of the text, or undefined where the encoding has no bytes for it. */
export function encodeText(text: string, form: TextForm): Uint8Array | undefined {
  const { encoding } = form;
  if (encoding === 'gb18030') return encodeGb18030(text);
  if (encoding === 'iso-8859-1') {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: every single byte is a character of this encoding
    return /^[\u0000-\u00ff]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined;
  }
  const marked = form.bom ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

export interface StreamDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

/** Node calls windows-1252 "latin1"; taking every byte as the character of its number loses nothing on the way back. */
export function createDecoder(encoding: Encoding): StreamDecoder {
  if (encoding !== 'iso-8859-1') return new TextDecoder(encoding, { ignoreBOM: true });
  return { decode: (bytes) => (bytes ? Buffer.from(bytes).toString('latin1') : '') };
}

function isDecodable(encoding: Encoding, bytes: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    return false;
  }
}

const sampleSize = 64 * 1024;

function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleSize);
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  }
  return controls > sample.length / 50;
}

/** GB18030 has a meaning for almost any bytes; real Chinese text uses the common characters and punctuation most of the time. */
function looksChinese(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleSize);
  let pairs = 0;
  let usual = 0;
  for (let i = 0; i < sample.length; i++) {
    const lead = sample[i] as number;
    if (lead < 0x81) continue;
    pairs += 1;
    if ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3)) usual += 1;
    i += 1;
  }
  return pairs > 0 && usual >= pairs * 0.6;
}

function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, sampleSize));
  let foreign = 0;
  let broken = 0;
  for (const character of text) {
    if (character < '\u0080') continue;
    if (character === '\ufffd') broken += 1;
    else foreign += 1;
  }
  return broken <= foreign / 10;
}
