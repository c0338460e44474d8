// From the home and the settings to an open store. A home without a store reads like an empty one and is left without a trace:
// only commands that write make a store.
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { Problem } from '../model/ports/store-driver.ts';
import type { OpenStoreOptions, StoreKey } from '../open-store.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { type HomeRecord, loadHome } from '../store/home.ts';
import type { Context } from './context.ts';
import { warnOfProblems } from './problem-report.ts';
import { askSecret } from './prompt/ask-secret.ts';

const dayLength = 24 * 60 * 60 * 1000;
const passphraseTries = 3;

/** Reading finds an absent store empty, writing makes it, and caring for it needs one. */
export type Purpose = 'read' | 'write' | 'care';
type OnProblem = (problem: Problem) => void;

export interface OpenHome {
  store: ConversationStore;
  /** What opened it, also where it was typed in. */
  key: StoreKey | undefined;
}

/** The store in the context's home. The caller closes it (`await using`). */
export async function openHome(context: Context, purpose: Purpose, onProblem?: OnProblem): Promise<ConversationStore> {
  return (await openHomeWithKey(context, purpose, onProblem)).store;
}

export async function openHomeWithKey(context: Context, purpose: Purpose, onProblem?: OnProblem): Promise<OpenHome> {
  const record = await loadHome(context.home);
  if (record === undefined && purpose === 'care') throw new ContinuoError('store-not-found', { path: context.home });
  const isAbsent = record === undefined && purpose === 'read';
  const opened = isAbsent ? { store: await openEmpty(), key: undefined } : await openExisting(context, record, onProblem);
  context.cleanups.add(() => opened.store.close());
  return opened;
}

async function openExisting(
  context: Context,
  record: HomeRecord | undefined,
  onProblem = warnOfProblems(context),
): Promise<OpenHome> {
  const { openStore } = await import('../open-store.ts');
  const options = { ...storeOptions(context), onProblem };
  return withKey(context, record, async (key) => {
    const store = await openStore({ ...options, ...(key && { key }) });
    if (key) keys.set(store, key);
    return { store, key };
  });
}

/** Remembered as long as the store is: its index is opened with the same one. */
const keys = new WeakMap<ConversationStore, StoreKey>();

/** What opened the store, also where it was typed in. */
export function keyOf(store: ConversationStore): StoreKey | undefined {
  return keys.get(store);
}

/** Does the work with the key the store wants: the one that was given, or one that is asked for until it fits. */
export async function withKey<Result>(
  context: Context,
  record: HomeRecord | undefined,
  work: (key: StoreKey | undefined) => Promise<Result>,
): Promise<Result> {
  const given = givenKey(context, record);
  if (isLeftover(record, given)) {
    context.output.note(context.style.yellow(context.text.encryption.ignoredPassphrase));
    return work(undefined);
  }
  if (given || !record?.encryption) return work(given);
  if (record.encryption.source === 'key-file' || !canAsk(context))
    throw new ContinuoError('key-required', { path: context.home });
  for (let left = passphraseTries; ; left--) {
    const passphrase = await askSecret(context.text.prompts.passphrase);
    try {
      return await work({ passphrase });
    } catch (error) {
      if (!isContinuoError(error, 'wrong-key') || left <= 1) throw error;
      context.output.warn(context.text.prompts.tryAgain);
    }
  }
}

/** A passphrase in the environment may be meant for other stores; a key file was named for this one and stays a mistake. */
function isLeftover(record: HomeRecord | undefined, given: StoreKey | undefined): boolean {
  return record !== undefined && !record.encryption && given !== undefined && 'passphrase' in given;
}

/** Options from the settings; `home` and everything but the key. */
export function storeOptions(context: Context): OpenStoreOptions {
  const config = context.config();
  const options: OpenStoreOptions = { home: context.home, trashGrace: (config['trash.grace_days'].value ?? 30) * dayLength };
  const driver = config['store.driver'];
  // An existing store is opened as it is; only a choice somebody made is compared with it.
  if (driver.value !== undefined && driver.origin.from !== 'default') options.driver = driver.value;
  if (config['store.redact'].value === false) options.redactor = false;
  return options;
}

/** The key the user gave, of the kind the store wants; a new store is encrypted with whatever key is given. */
export function givenKey(context: Context, record: HomeRecord | undefined): StoreKey | undefined {
  const keyFile = context.config()['store.key_file'].value;
  const passphrase = context.env.CONTINUO_PASSPHRASE || undefined;
  const wanted = record?.encryption?.source;
  if (wanted === 'passphrase' && passphrase !== undefined) return { passphrase };
  if (keyFile !== undefined) return { keyFile };
  return passphrase === undefined ? undefined : { passphrase };
}

/** Whether somebody is there to answer. */
export function canAsk(context: Context): boolean {
  return context.terminal.stdin && context.terminal.stderr;
}

async function openEmpty(): Promise<ConversationStore> {
  const { ConversationStore } = await import('../store/conversation-store.ts');
  const { MemoryDriver } = await import('../store/drivers/memory/memory-driver.ts');
  return ConversationStore.open({ driver: new MemoryDriver() });
}
