// What would become of a settings file when the entry is taken out again: the copy byte for byte where nothing else has changed since; else
// the file as it is, with the entry it had before, or with none. An entry that somebody wrote by hand is never lost: it is in the file
// or in a copy.
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { giveCure } from '../../next-step.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { McpClient } from './clients.ts';
import { withoutEmptyMember } from './edit-json.ts';
import { type Entry, isOwnEntry, isOwnFile } from './own-entry.ts';
import { findEntry, hasTable, planChange, planReturn } from './plan-change.ts';
import { backupPath, readSettingsFile, type SettingsFile } from './settings-file.ts';

export interface Undo {
  /** `restore`: the entry that was there before is back. */
  state: 'remove' | 'restore' | 'none';
  /** The whole file as it would be; null where it goes. */
  text: string | null;
  /** What becomes of the copy: it goes, it stays, it is made of the file as it is now, or there is none. */
  copy: 'goes' | 'stays' | 'made' | 'none';
  /** The entry that was there before is in the copy alone. */
  isLeftInCopy?: boolean;
}

export async function planUndo(context: Context, client: McpClient, file: SettingsFile): Promise<Undo> {
  const entry = await findEntry(context, client, file);
  const backup = await readSettingsFile(backupPath(file.path));
  if (entry === undefined) return { state: 'none', text: file.text ?? null, copy: backup.exists ? 'stays' : 'none' };
  const earlier = backup.exists ? await findEntry(context, client, backup).catch(() => undefined) : undefined;
  // Without a copy, or with the entry of the copy in its place, there is no change of ours to take back: then the entry itself goes.
  if (!backup.exists || isDeepStrictEqual(entry, earlier)) {
    if (!backup.exists && isOwnFile(client, entry, file.text)) return { state: 'remove', text: null, copy: 'none' };
    const copy = !isOwnEntry(entry) ? 'made' : backup.exists ? 'stays' : 'none';
    return { state: 'remove', text: await takeOut(context, client, file, backup), copy };
  }
  if (await isUnchanged(context, client, file, backup, entry))
    return { state: earlier === undefined ? 'remove' : 'restore', text: backup.text as string, copy: 'goes' };
  if (earlier === undefined) return { state: 'remove', text: await takeOut(context, client, file, backup), copy: 'stays' };
  const text = await planReturn(context, client, file, backup);
  if (text !== undefined) return { state: 'restore', text, copy: 'stays' };
  const without = await takeOut(context, client, file, backup).catch((error: object) => {
    throw giveCure(error, context.text.mcpInstall.leftInCopy(plainLine(backup.path)));
  });
  return { state: 'remove', text: without, copy: 'stays', isLeftInCopy: true };
}

/** Whether the copy with the entry put in again is the file. */
async function isUnchanged(
  context: Context,
  client: McpClient,
  file: SettingsFile,
  backup: SettingsFile,
  entry: unknown,
): Promise<boolean> {
  if (typeof entry !== 'object' || backup.text === undefined) return false;
  const redone = await planChange(context, client, backup, entry as Entry).catch(() => undefined);
  return redone?.text === file.text;
}

/** An empty table goes along where it was made for the entry. */
async function takeOut(context: Context, client: McpClient, file: SettingsFile, backup: SettingsFile): Promise<string> {
  const { text } = await planChange(context, client, file, undefined);
  if (client.format !== 'json') return text;
  const entry = await findEntry(context, client, file);
  const isTheirs = backup.exists ? await hasTable(context, client, backup).catch(() => true) : !isOwnEntry(entry);
  return isTheirs ? text : withoutEmptyMember(text, client.table);
}
