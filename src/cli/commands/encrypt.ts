// continuo encrypt: turns a plain store into an encrypted one.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createFileAtomically } from '../../base/private-files.ts';
import { convertStore } from '../../convert-store.ts';
import { ContinuoError } from '../../model/error.ts';
import type { StoreKey } from '../../open-store.ts';
import { loadHome } from '../../store/home.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { canAsk, givenKey } from '../open-home.ts';
import { plainLine } from '../output/plain-text.ts';
import { withProgress } from '../output/progress.ts';
import { askSecret } from '../prompt/ask-secret.ts';
import { dropIndex, noteDropped } from '../recall/drop-index.ts';
import { usageError } from '../usage-error.ts';

const keyFileBytes = 64;

export function define(command: Command, { commands: { encrypt } }: Help): void {
  command.option('--new-key-file <file>', encrypt.options.newKeyFile);
}

export async function run(
  context: Context,
  _args: readonly string[],
  { newKeyFile }: { newKeyFile?: string },
): Promise<undefined> {
  const { home, text, style, output } = context;
  const record = await loadHome(home);
  if (!record) throw new ContinuoError('store-not-found', { path: home });
  if (record.encryption) throw new ContinuoError('already-encrypted', { path: home });
  const to = newKeyFile === undefined ? await chooseKey(context) : await makeKeyFile(context, newKeyFile);
  const result = await withProgress(context, text.encryption.encrypting, (progress) => convertStore({ home, to }, progress));
  const hadIndex = await dropIndex(home);
  output.done({ home, encrypted: true, ...result }, () => text.encryption.encrypted(plainLine(home)));
  const advice = 'keyFile' in to ? text.encryption.keepKeyFile(plainLine(to.keyFile)) : text.encryption.keepPassphrase;
  output.note(style.yellow(advice), style.dim(text.encryption.oldCopies));
  const damaged = result.damagedSessions.length;
  if (damaged > 0) context.output.note(context.style.yellow(context.text.sessionFiles.carried(damaged)));
  if (hadIndex) noteDropped(context);
}

async function chooseKey(context: Context): Promise<StoreKey> {
  const given = givenKey(context, undefined);
  if (given) return given;
  if (!canAsk(context)) throw usageError(context.text.usage.newKeyNeeded);
  const passphrase = await askSecret(context.text.prompts.newPassphrase);
  if (passphrase !== (await askSecret(context.text.prompts.repeatPassphrase))) throw usageError(context.text.prompts.notTheSame);
  return { passphrase };
}

async function makeKeyFile(context: Context, given: string): Promise<StoreKey> {
  const keyFile = resolve(given);
  try {
    if (await createFileAtomically(keyFile, randomBytes(keyFileBytes))) return { keyFile };
  } catch (error) {
    throw toStoreError(error, keyFile);
  }
  throw usageError(context.text.usage.keyFileExists(keyFile));
}
