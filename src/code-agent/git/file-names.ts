// Names of files as git gives them, byte for byte in latin1, and as people read them. A name that is not UTF-8 is shown with its
// bytes spelled out and marked: nothing can be done with it by that spelling, but nothing breaks over it either.

export interface FileName {
  path: string;
  /** The name is not UTF-8; `path` only shows it. */
  unreadable?: true;
}

export function decodeName(bytes: string): FileName {
  const raw = Buffer.from(bytes, 'latin1');
  try {
    return { path: strict.decode(raw) };
  } catch {
    const shown = [...raw].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : spell(byte)));
    return { path: shown.join(''), unreadable: true };
  }
}

export function encodeName(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1');
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function spell(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
