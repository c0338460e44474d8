import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyParameters, deriveKey, type KeyParameters, readKeyFile } from './key-derivation.ts';

const folder = mkdtempSync(join(tmpdir(), 'continuo-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

const quick: KeyParameters = { cost: 16, blockSize: 8, parallelization: 1, salt: 'A'.repeat(43) };

function keyFile(name: string, content: string | Uint8Array, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe('deriveKey', () => {
  it('gives 32 bytes that depend on the passphrase and on every parameter', async () => {
    const keys = await Promise.all([
      deriveKey({ passphrase: 'one' }, quick),
      deriveKey({ passphrase: 'two' }, quick),
      deriveKey({ passphrase: 'one' }, { ...quick, cost: 32 }),
      deriveKey({ passphrase: 'one' }, { ...quick, blockSize: 4 }),
      deriveKey({ passphrase: 'one' }, { ...quick, salt: `${'B'.repeat(42)}A` }),
    ]);
    const texts = keys.map((key) => Buffer.from(key).toString('hex'));
    expect(texts.every((text) => text.length === 64)).toBe(true);
    expect(new Set(texts).size).toBe(5);
    expect(await deriveKey({ passphrase: 'one' }, quick)).toEqual(keys[0]);
  });

  it('is scrypt as other programs have it, so that a key can be derived again without this one', async () => {
    // From Python: hashlib.scrypt(b'correct horse', salt=bytes(32), n=32768, r=8, p=1, dklen=32, maxmem=2**27).hex()
    const key = await deriveKey({ passphrase: 'correct horse' }, { ...createKeyParameters(), salt: 'A'.repeat(43) });
    expect(Buffer.from(key).toString('hex')).toBe('74ae65fde5048b8b945b9074725eba7a8b2bd8cc84e9e68445dfa55586cd75ef');
  });

  it('takes a composed and a decomposed passphrase for the same', async () => {
    expect(await deriveKey({ passphrase: 'caf\u00e9' }, quick)).toEqual(await deriveKey({ passphrase: 'cafe\u0301' }, quick));
  });

  it('gives every new store a salt of its own', () => {
    const [first, second] = [createKeyParameters(), createKeyParameters()];
    expect(first).toEqual({ cost: 32768, blockSize: 8, parallelization: 1, salt: first.salt });
    expect(Buffer.from(first.salt, 'base64url').length).toBe(32);
    expect(first.salt).not.toBe(second.salt);
  });

  it('refuses an empty passphrase, a short key and parameters out of bounds', async () => {
    await expect(deriveKey({ passphrase: '' }, quick)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(deriveKey({ keyFile: new Uint8Array(31) }, quick)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(deriveKey({ passphrase: 'one' }, { ...quick, cost: 2 ** 30 })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(deriveKey({ passphrase: 'one' }, { ...quick, cost: 1000 })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(deriveKey({ passphrase: 'one' }, { ...quick, salt: '' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('derives from the bytes of a key file and the salt', async () => {
    const bytes = new Uint8Array(32).fill(7);
    const key = await deriveKey({ keyFile: bytes }, quick);
    expect(key.length).toBe(32);
    expect(await deriveKey({ keyFile: bytes }, { ...quick, salt: `${'B'.repeat(42)}A` })).not.toEqual(key);
    expect(await deriveKey({ keyFile: bytes }, quick)).toEqual(key);
  });
});

describe('readKeyFile', () => {
  it('reads every byte', async () => {
    const bytes = new Uint8Array(64).map((_, i) => i * 4);
    expect(new Uint8Array(await readKeyFile(keyFile('good', bytes)))).toEqual(bytes);
  });

  it('says what is wrong with a file that is missing, too short, too long or a folder', async () => {
    mkdirSync(join(folder, 'dir'), { mode: 0o700 });
    const missing = join(folder, 'missing');
    await expect(readKeyFile(missing)).rejects.toMatchObject({
      code: 'invalid-input',
      details: { what: 'key file', reason: `${missing} does not exist` },
    });
    await expect(readKeyFile(keyFile('short', 'x'.repeat(31)))).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(readKeyFile(keyFile('long', new Uint8Array(1024 * 1024 + 1)))).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(readKeyFile(join(folder, 'dir'))).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it.skipIf(process.platform === 'win32')('refuses a file that others may read', async () => {
    await expect(readKeyFile(keyFile('loose', 'x'.repeat(32), 0o640))).rejects.toMatchObject({ code: 'unsafe-path' });
    await expect(readKeyFile(keyFile('open', 'x'.repeat(32), 0o604))).rejects.toMatchObject({ code: 'unsafe-path' });
  });
});
