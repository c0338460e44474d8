// How a snapshot is laid out as text. It is one JSON document whose first line holds everything but the messages, so that a list
// of sessions reads one line of each, however long the session is. A sealed file has the same two parts, each sealed.
import type { ContinuoError } from '../model/error.ts';
import { isContinuoError } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';
import { type EnvelopeFail, isObject, parseDocument, upgradeDocument } from './envelope.ts';
import { readHead, readSnapshot, type SnapshotHead, snapshotFormat } from './read-snapshot.ts';
import type { SessionSnapshot } from './session-snapshot.ts';

/** What every whole file ends with. */
export const snapshotEnd = '}\n';

export function formatSnapshot(snapshot: SessionSnapshot, sealer: Sealer | undefined): string {
  const { context, ...head } = snapshot;
  const headText = JSON.stringify(head);
  const text = `${headText.slice(0, -1)},\n"context":${JSON.stringify(context)}${snapshotEnd}`;
  if (sealer === undefined) return text;
  return `{"sealed":"1.0","head":${JSON.stringify(sealer.seal(headText))},\n"body":${JSON.stringify(sealer.seal(text))}${snapshotEnd}`;
}

export interface SnapshotReading {
  path: string;
  sealer: Sealer | undefined;
  fail: EnvelopeFail;
  /** For the error where a sealed file is met without a key. */
  keyRequired: () => ContinuoError;
}

export function parseSnapshot(text: string, reading: SnapshotReading): { snapshot: SessionSnapshot; sealed: boolean } {
  const outer = parseDocument(text, reading.fail);
  const sealed = Object.hasOwn(outer, 'sealed');
  const document = sealed ? parseDocument(unseal(outer.body, reading), reading.fail) : outer;
  return { snapshot: readSnapshot(upgradeDocument(document, snapshotFormat, reading.path), reading.fail), sealed };
}

/** Undefined where the first line is not laid out as {@link formatSnapshot} does: then the whole file has to be read. */
export function parseFirstLine(line: string, reading: SnapshotReading): { head: SnapshotHead; sealed: boolean } | undefined {
  if (!line.endsWith(',')) return undefined;
  const broken = Symbol('broken');
  try {
    const outer = parseDocument(`${line.slice(0, -1)}}`, () => broken as unknown as ContinuoError);
    const sealed = Object.hasOwn(outer, 'sealed');
    const document = sealed ? parseDocument(unseal(outer.head, reading), reading.fail) : outer;
    if (!isObject(document.metadata)) return undefined;
    return { head: readHead(upgradeDocument(document, snapshotFormat, reading.path), reading.fail), sealed };
  } catch (error) {
    if (error === broken) return undefined;
    throw error;
  }
}

function unseal(part: unknown, { sealer, fail, keyRequired }: SnapshotReading): string {
  if (typeof part !== 'string') throw fail('its sealed part is missing');
  if (sealer === undefined) throw keyRequired();
  try {
    return sealer.unseal(part);
  } catch (error) {
    throw isContinuoError(error, 'store-damaged') ? fail('its sealed part was changed', error) : error;
  }
}
