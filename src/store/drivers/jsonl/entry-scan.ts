// Takes an entry's line apart along the layout it was written in, several times faster than parsing it as JSON and putting its parts
// together again. Only for lines whose checksum is right; where the layout is another, it gives up and the line is parsed.
import type { EntryKind } from '../../../model/entry.ts';
import type { EntryRecord } from '../../../model/ports/store-driver.ts';

const opening = /^\{"type":"([a-z-]+)","seq":([1-9]\d{0,14}),"at":(\d{1,15}),"header":/;
const expiry = /,"expiresAt":(\d{1,15})/y;
const textField = ',"text":';
const dataField = ',"data":';

/** The entry; undefined where the text is not laid out as expected. */
export function scanEntry(line: string): EntryRecord | undefined {
  const opened = opening.exec(line);
  if (!opened || opened[1] === 'metadata') return undefined;
  const headerStart = opened[0].length;
  const headerEnd = objectEnd(line, headerStart);
  if (headerEnd < 0 || !line.startsWith(textField, headerEnd)) return undefined;

  const textStart = headerEnd + textField.length;
  const isWithheld = line.startsWith('null', textStart);
  const textEnd = isWithheld ? textStart + 4 : stringEnd(line, textStart);
  if (textEnd < 0) return undefined;

  const hasData = line.startsWith(dataField, textEnd);
  const dataStart = textEnd + dataField.length;
  const dataEnd = hasData ? objectEnd(line, dataStart) : textEnd;
  if (dataEnd < 0) return undefined;

  expiry.lastIndex = dataEnd;
  const expires = expiry.exec(line);
  const end = dataEnd + (expires?.[0].length ?? 0);
  if (end !== line.length - 1 || line[end] !== '}') return undefined;
  return {
    at: Number(opened[3]),
    kind: opened[1] as EntryKind,
    header: line.slice(headerStart, headerEnd),
    text: isWithheld ? null : readString(line, textStart, textEnd),
    data: hasData ? line.slice(dataStart, dataEnd) : null,
    expiresAt: expires ? Number(expires[1]) : null,
    seq: Number(opened[2]),
  };
}

/** Where the object that begins here ends; -1 where none begins here. */
function objectEnd(line: string, start: number): number {
  if (line[start] !== '{') return -1;
  let depth = 0;
  for (let i = start; i >= 0 && i < line.length; ) {
    const code = line.charCodeAt(i);
    if (code === quote) {
      i = stringEnd(line, i);
      continue;
    }
    if (code === openBrace) depth += 1;
    else if (code === closeBrace) depth -= 1;
    i += 1;
    if (depth === 0) return i;
  }
  return -1;
}

/** Where the string that begins here ends; -1 where none begins here. */
function stringEnd(line: string, start: number): number {
  if (line.charCodeAt(start) !== quote) return -1;
  for (let end = line.indexOf('"', start + 1); end >= 0; end = line.indexOf('"', end + 1)) {
    let before = end - 1;
    while (line.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return -1;
}

function readString(line: string, start: number, end: number): string {
  const inner = line.slice(start + 1, end - 1);
  return inner.includes('\\') ? JSON.parse(line.slice(start, end)) : inner;
}

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
