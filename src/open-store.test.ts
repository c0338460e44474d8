import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DriverName, openStore } from './open-store.ts';

let home: string;

beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), 'continuo-open-')), 'home');
});

afterEach(async () => {
  await rm(join(home, '..'), { recursive: true, force: true });
});

async function make(driver: DriverName): Promise<void> {
  const store = await openStore({ home, driver });
  const { id } = await store.create({ key: 'k' });
  await store.append(id, { kind: 'message', role: 'user', text: 'here' });
  await store.close();
}

describe.each(['sqlite', 'jsonl'] as const)('a %s store', (driver) => {
  it('whose record is lost is not taken for a new one', async () => {
    await make(driver);
    await rename(join(home, 'store.json'), join(home, 'aside.json'));
    await expect(openStore({ home })).rejects.toMatchObject({ code: 'store-incomplete', details: { missing: 'store.json' } });
    await rename(join(home, 'aside.json'), join(home, 'store.json'));
    const store = await openStore({ home });
    expect(await store.tail((await store.get('k')).id, 5)).toMatchObject([{ text: 'here' }]);
    await store.close();
  });

  it('whose data is lost is not begun anew', async () => {
    await make(driver);
    await rename(join(home, 'store'), join(home, 'aside'));
    await expect(openStore({ home })).rejects.toMatchObject({ code: 'store-incomplete', details: { missing: 'store' } });
    await rename(join(home, 'aside'), join(home, 'store'));
    await (await openStore({ home })).close();
  });

  it('is opened as it is, and asking for another driver is an error', async () => {
    await make(driver);
    const wanted = driver === 'sqlite' ? 'jsonl' : 'sqlite';
    await expect(openStore({ home, driver: wanted })).rejects.toMatchObject({ code: 'driver-mismatch' });
  });
});

it('begins again where a home was made but never opened', async () => {
  await mkdir(home);
  await writeFile(join(home, 'store.json'), '{"format":1,"driver":"sqlite","createdAt":1}');
  const store = await openStore({ home });
  await store.close();
  expect(JSON.parse(await readFile(join(home, 'store.json'), 'utf8'))).toMatchObject({ ready: true });
});

it('refuses a record it cannot read or that is newer, and leaves it alone', async () => {
  await mkdir(home);
  for (const [text, code] of [
    ['{bad', 'store-damaged'],
    ['{"format":2}', 'store-newer'],
    ['{"format":1,"driver":"tape","createdAt":1}', 'store-damaged'],
  ] as const) {
    await writeFile(join(home, 'store.json'), text);
    await expect(openStore({ home })).rejects.toMatchObject({ code });
    expect(await readFile(join(home, 'store.json'), 'utf8')).toBe(text);
  }
});

it('says what is wrong with its options', async () => {
  for (const options of [
    undefined,
    {},
    { home: '' },
    { home, key: {} },
    { home, key: { passphrase: '' } },
    { home, driver: 'tape' },
  ]) {
    const refusal = await openStore(options as never).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: options && 'driver' in options ? 'unknown-driver' : 'invalid-input' });
  }
});

it('gives two processes that make the same home at once one store', async () => {
  const key = { passphrase: 'the same for both' };
  const [one, two] = await Promise.all([openStore({ home, key }), openStore({ home, key })]);
  const { id } = await one.create();
  await two.append(id, { kind: 'message', role: 'user', text: 'seen by both' });
  expect(await one.tail(id, 1)).toMatchObject([{ text: 'seen by both' }]);
  await one.close();
  await two.close();
});
