// Opens the store in a home folder: finds out how it is kept, derives its key, and wires the driver to the wide store.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createKeyCheck, matchesKeyCheck } from './crypto/key-check.ts';
import { createKeyParameters, deriveKey, type KeyParameters, type KeySource, readKeyFile } from './crypto/key-derivation.ts';
import { ContinuoError } from './model/error.ts';
import type { StoreDriver } from './model/ports/store-driver.ts';
import { stagedPrefix } from './snapshot/conversion-folder.ts';
import { sessionFileKind } from './snapshot/file-name.ts';
import { ConversationStore, type StoreOptions } from './store/conversation-store.ts';
import { assertComplete, createHome, dataFolder, type HomeRecord, homeRecordPath, loadHome, saveHome } from './store/home.ts';
import { PurgeRecord, purgeRecordPath } from './store/purge-record.ts';

export type DriverName = HomeRecord['driver'];
export const driverNames: readonly DriverName[] = ['sqlite', 'jsonl'];

/** What opens an encrypted store. */
export type StoreKey = { passphrase: string } | { keyFile: string };

export interface OpenStoreOptions extends Omit<StoreOptions, 'driver' | 'layout' | 'onPurge' | 'wasPurged'> {
  /** The folder that holds the store; made on first use. */
  home: string;
  /** How a new store is kept (default sqlite). An existing store is opened as it is; asking for another driver is an error. */
  driver?: DriverName;
  /** Opens an encrypted store, and makes a new one encrypted. */
  key?: StoreKey;
}

export async function openStore(options: OpenStoreOptions): Promise<ConversationStore> {
  const { home: given, driver: wanted, key, ...storeOptions } = checkOptions(options);
  const home = resolve(given);
  const record = (await loadHome(home)) ?? (await newHome(home, wanted ?? 'sqlite', key));
  if (wanted !== undefined && wanted !== record.driver) {
    throw new ContinuoError('driver-mismatch', { path: home, found: record.driver, wanted });
  }
  assertComplete(home, record);
  const folder = dataFolder(home, record);
  const raw = await unlock(home, record, key);
  const driver = await createDriver(record.driver, folder, raw);
  const purges = new PurgeRecord(purgeRecordPath(home));
  const store = await ConversationStore.open({
    ...storeOptions,
    driver,
    layout: {
      dataFolder: basename(folder),
      companionFiles: [homeRecordPath(home)],
      optionalFiles: [purgeRecordPath(home)],
      companionFolders: [sessionsOf(home)],
    },
    wasPurged: (name) => purges.has(name),
    onPurge: async (doomed) => {
      const { purgedNames } = await import('./transcripts/purged-sessions.ts');
      await purges.add(doomed.flatMap(purgedNames));
      if (!existsSync(sessionsOf(home).path)) return;
      const { eraseSessionsOf } = await import('./home-sessions.ts');
      await eraseSessionsOf(home, raw, doomed);
    },
  });
  // If the store was converted in this very moment, what was opened is the place it left.
  const now = await loadHome(home);
  if (now?.folder !== record.folder) {
    await store.close();
    return openStore(options);
  }
  if ((await readdir(home)).some((name) => name.startsWith(stagedPrefix))) {
    const { tidyConversions } = await import('./home-sessions.ts');
    await tidyConversions(home, basename(folder), raw);
  }
  if (now && !now.ready) await saveHome(home, { ...now, ready: true });
  return store;
}

/** Sessions of teams beside the store: in backups without what a killed process left half written. */
function sessionsOf(home: string) {
  const accepts = (name: string) => (sessionFileKind(name)?.kind ?? 'unfinished') !== 'unfinished';
  return { path: join(home, 'sessions'), accepts };
}

function checkOptions(options: OpenStoreOptions): OpenStoreOptions {
  const refuse = (what: string, reason: string) => new ContinuoError('invalid-input', { what, reason });
  if (typeof options?.home !== 'string' || options.home === '') throw refuse('home', 'it must be the path of a folder');
  const key: unknown = options.key;
  if (key === undefined) return options;
  const values = typeof key === 'object' && key !== null ? Object.entries(key) : [];
  const [name, value] = values[0] ?? [];
  const isKey = values.length === 1 && (name === 'passphrase' || name === 'keyFile') && typeof value === 'string' && value !== '';
  if (!isKey) throw refuse('key', 'it must have a passphrase or a keyFile');
  return options;
}

/** The raw key of an encrypted store, checked; undefined for a plain one. */
export async function unlock(home: string, record: HomeRecord, key: StoreKey | undefined): Promise<Uint8Array | undefined> {
  const { encryption } = record;
  if (!encryption) {
    if (key) throw new ContinuoError('not-encrypted', { path: home });
    return undefined;
  }
  if (!key) throw new ContinuoError('key-required', { path: home });
  const raw = await deriveKey(await toKeySource(key), encryption.parameters as KeyParameters);
  if (!matchesKeyCheck(raw, encryption.check)) throw new ContinuoError('wrong-key', { path: home });
  return raw;
}

/** A new key for a store: what to write down about it, and the key itself. */
export async function createEncryption(key: StoreKey): Promise<{ encryption: HomeRecord['encryption']; raw: Uint8Array }> {
  const parameters = createKeyParameters();
  const raw = await deriveKey(await toKeySource(key), parameters);
  const source = 'passphrase' in key ? 'passphrase' : 'key-file';
  return { encryption: { source, parameters, check: createKeyCheck(raw) }, raw };
}

/** Drivers are loaded when they are needed: a jsonl user does not pay for sqlite's start-up, nor the other way round. */
export async function createDriver(name: DriverName, folder: string, key: Uint8Array | undefined): Promise<StoreDriver> {
  if (name === 'sqlite') {
    const { SqliteDriver } = await import('./store/drivers/sqlite/sqlite-driver.ts');
    return new SqliteDriver({ folder, ...(key && { key }) });
  }
  const { JsonlDriver } = await import('./store/drivers/jsonl/jsonl-driver.ts');
  if (!key) return new JsonlDriver({ folder });
  const { createLineSealer } = await import('./crypto/line-sealer.ts');
  return new JsonlDriver({ folder, sealer: createLineSealer(key, folder) });
}

async function newHome(home: string, driver: DriverName, key: StoreKey | undefined): Promise<HomeRecord> {
  if (!driverNames.includes(driver)) throw new ContinuoError('unknown-driver', { driver, known: driverNames.join(', ') });
  const record: HomeRecord = { format: 1, driver, createdAt: Date.now() };
  if (key) record.encryption = (await createEncryption(key)).encryption;
  return createHome(home, record);
}

async function toKeySource(key: StoreKey): Promise<KeySource> {
  return 'passphrase' in key ? key : { keyFile: await readKeyFile(key.keyFile) };
}
