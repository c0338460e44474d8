// The head of a conversation's file: its newest metadata brought up to date with the entries after it. Found by reading from the end
// (metadata is repeated every so often, so that is a bounded stretch) and carried forward when the file grows.
import type { Line, LineCodec, Metadata } from './line-codec.ts';
import { linesBackward, linesForward, type RawLine, readAt } from './line-reader.ts';

/** What tells one state of a file from another. */
export interface FileVersion {
  inode: bigint;
  size: number;
  modifiedAt: bigint;
}

export interface Head extends Metadata {
  version: FileVersion;
  /** Where the next line belongs. Bytes beyond it are a torn line that was never acknowledged. */
  end: number;
  /** Whether the last line lacks its end, although it says all it should. */
  unterminated: boolean;
  entriesSinceMetadata: number;
  bytesSinceMetadata: number;
  /** The bytes before `end`: by them a file that was cut and grown again is told from one that only grew. */
  mark: Buffer;
}

const markLength = 32;

/** Reads the head; undefined where the file holds no whole metadata line. */
export function loadHead(fd: number, version: FileVersion, codec: LineCodec): Head | undefined {
  const later: ReadLine[] = [];
  for (const raw of linesBackward(fd, 0, version.size)) {
    const read = readLine(raw, codec);
    if (read.line?.kind === 'metadata') {
      const head = startHead(read.line.metadata, version);
      passLine(head, read);
      for (const each of later.reverse()) passLine(head, each);
      head.mark = readMark(fd, head.end);
      return head;
    }
    later.push(read);
  }
  return undefined;
}

/** The head after the file has grown; undefined where it did more than that and must be read anew. */
export function advanceHead(fd: number, head: Head, version: FileVersion, codec: LineCodec): Head | undefined {
  const onlyGrew = version.inode === head.version.inode && version.size >= head.end && head.end === head.version.size;
  if (!onlyGrew || head.unterminated || !readMark(fd, head.end).equals(head.mark)) return undefined;
  const grown = startHead(head, version);
  Object.assign(grown, {
    entriesSinceMetadata: head.entriesSinceMetadata,
    bytesSinceMetadata: head.bytesSinceMetadata,
    end: head.end,
  });
  for (const raw of linesForward(fd, head.end, version.size)) passLine(grown, readLine(raw, codec));
  grown.mark = readMark(fd, grown.end);
  return grown;
}

/** The mark after these bytes, which end a file. No line is shorter than a mark. */
export function markOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(-markLength));
}

function readMark(fd: number, end: number): Buffer {
  const length = Math.min(markLength, end);
  return readAt(fd, end - length, length);
}

/** What a line says, also where only its end is missing or damaged: then it was whole, and it stays. */
export function decodeLine(raw: RawLine, codec: LineCodec): Line | undefined {
  const line = codec.decode(raw.bytes);
  return line || raw.terminated ? line : codec.decode(raw.bytes.subarray(0, -1));
}

/** What passing a line needs to know of it; the text itself is let go. */
interface ReadLine {
  line:
    | { kind: 'metadata'; metadata: Metadata }
    | { kind: 'entry'; seq: number; at: number; expiresAt: number | null }
    | undefined;
  end: number;
  length: number;
  terminated: boolean;
  countsAsEntry: boolean;
}

function readLine(raw: RawLine, codec: LineCodec): ReadLine {
  const { start, end, terminated, bytes } = raw;
  const whole = codec.decode(bytes);
  const line = whole ?? decodeLine(raw, codec);
  // An unterminated line that is only whole without its last byte: that byte was the line's end once.
  const usedEnd = !terminated && line && !whole ? end - 1 : end;
  const shared = { end: usedEnd, length: usedEnd - start, terminated, countsAsEntry: !codec.looksLikeMetadata(bytes) };
  if (line?.kind !== 'entry') return { line, ...shared };
  const { seq, at, expiresAt } = line.record;
  return { line: { kind: 'entry', seq, at, expiresAt }, ...shared };
}

function startHead(metadata: Metadata, version: FileVersion): Head {
  const { conversation, base, removed, rewrites, nextExpiresAt } = metadata;
  return {
    conversation: { ...conversation },
    base,
    removed,
    rewrites,
    nextExpiresAt,
    version,
    end: 0,
    unterminated: false,
    entriesSinceMetadata: 0,
    bytesSinceMetadata: 0,
    mark: Buffer.alloc(0),
  };
}

function passLine(head: Head, { line, end, length, terminated, countsAsEntry }: ReadLine): void {
  // A torn last line was never acknowledged: it is as if it were not there.
  if (!line && !terminated) return;
  head.end = end;
  head.unterminated = !terminated;
  if (line?.kind === 'metadata') {
    Object.assign(head, line.metadata, {
      conversation: { ...line.metadata.conversation },
      entriesSinceMetadata: 0,
      bytesSinceMetadata: 0,
    });
    return;
  }
  head.entriesSinceMetadata += 1;
  head.bytesSinceMetadata += length;
  const { conversation } = head;
  if (line) passEntry(head, line);
  // A damaged entry keeps its position: what follows must not take the place of something that was acknowledged.
  else if (countsAsEntry) conversation.lastSeq += 1;
}

export function passEntry(head: Head | Metadata, entry: { seq: number; at: number; expiresAt: number | null }): void {
  const { conversation } = head;
  conversation.lastSeq = Math.max(conversation.lastSeq, entry.seq);
  conversation.activeAt = Math.max(conversation.activeAt, entry.at);
  if (entry.expiresAt !== null) head.nextExpiresAt = Math.min(head.nextExpiresAt ?? Number.POSITIVE_INFINITY, entry.expiresAt);
}
