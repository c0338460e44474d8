// Writes text as GB18030, which Node can read but not write. The table is the inverse of what Node reads, made on first use.

let codes: Map<string, readonly number[]> | undefined;

/** The bytes, or undefined where a character has none. */
export function encodeGb18030(text: string): Uint8Array | undefined {
  codes ??= buildTable();
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    if (point < 0x80) bytes.push(point);
    else if (point >= 0x10000) bytes.push(...fourBytes(firstSupplementary + point - 0x10000));
    else {
      const code = codes.get(character);
      if (!code) return undefined;
      bytes.push(...code);
    }
  }
  return Uint8Array.from(bytes);
}

/** Four-byte codes are numbered; the supplementary planes begin at 0x90308130. */
const firstSupplementary = 189_000;
const basicFourByteCodes = 39_420;

function fourBytes(number: number): number[] {
  const last = 0x30 + (number % 10);
  const third = 0x81 + (Math.floor(number / 10) % 126);
  const second = 0x30 + (Math.floor(number / 1260) % 10);
  return [0x81 + Math.floor(number / 12_600), second, third, last];
}

function buildTable(): Map<string, readonly number[]> {
  const decoder = new TextDecoder('gb18030', { fatal: true, ignoreBOM: true });
  const table = new Map<string, readonly number[]>();
  const add = (code: readonly number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(code));
      // The shorter code of two comes first and stays.
      if ([...character].length === 1 && !table.has(character)) table.set(character, code);
    } catch {
      // No character has this code.
    }
  };
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) add([lead, trail]);
  }
  for (let number = 0; number < basicFourByteCodes; number++) add(fourBytes(number));
  return table;
}
