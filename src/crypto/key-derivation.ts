// From what a person holds (a passphrase, a key file) to the 32 bytes that encrypt. Slow on purpose for passphrases; the parameters
// are not secret and are kept beside the store, so that they can be raised later without losing old stores.
import { hkdf, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import * as z from 'zod';
import { ContinuoError } from '../model/error.ts';

export type KeySource = { passphrase: string } | { keyFile: Uint8Array };

/** What a derivation depends on beside the secret. The bounds keep a changed file from asking for all the memory there is. */
export const keyParametersSchema = z.strictObject({
  /** scrypt's N, a power of two. */
  cost: z
    .int()
    .min(2)
    .max(2 ** 20)
    .refine((cost) => Number.isInteger(Math.log2(cost)), 'must be a power of two'),
  blockSize: z.int().min(1).max(16),
  parallelization: z.int().min(1).max(16),
  /** 32 random bytes as base64url. */
  salt: z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes as base64url'),
});

export type KeyParameters = z.infer<typeof keyParametersSchema>;

const keyLength = 32;
const minKeyFileLength = 32;
const maxKeyFileLength = 1024 * 1024;

/** Parameters for a new store: today's cost and a salt of its own. */
export function createKeyParameters(): KeyParameters {
  return { cost: 2 ** 15, blockSize: 8, parallelization: 1, salt: randomBytes(32).toString('base64url') };
}

export async function deriveKey(source: KeySource, parameters: KeyParameters): Promise<Uint8Array> {
  const { cost, blockSize, parallelization, salt } = parseParameters(parameters);
  const saltBytes = Buffer.from(salt, 'base64url');
  if ('keyFile' in source) {
    checkKeyFileLength(source.keyFile.length);
    return deriveFast(source.keyFile, saltBytes);
  }
  if (source.passphrase === '') throw new ContinuoError('invalid-input', { what: 'passphrase', reason: 'it is empty' });
  // The same passphrase must give the same key whichever way a keyboard composes its characters.
  const passphrase = Buffer.from(source.passphrase.normalize('NFKC'), 'utf8');
  const maxmem = 256 * cost * blockSize * parallelization + 1024 * 1024;
  return deriveSlow(passphrase, saltBytes, { cost, blockSize, parallelization, maxmem });
}

/** The bytes of a key file; refused where it is missing, too short, or open to other users of the machine. */
export async function readKeyFile(path: string): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const { mode, size } = await file.stat();
    if ((mode & 0o170000) !== 0o100000) throw invalidKeyFile(`${path} is not a regular file`);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ContinuoError('unsafe-path', { path, reason: 'other users may read this key file; run "chmod 600" on it' });
    }
    checkKeyFileLength(size);
    const bytes = await file.readFile();
    checkKeyFileLength(bytes.length);
    return bytes;
  } catch (error) {
    throw toKeyFileError(error, path);
  } finally {
    await file?.close();
  }
}

function parseParameters(parameters: KeyParameters): KeyParameters {
  const result = keyParametersSchema.safeParse(parameters);
  if (result.success) return result.data;
  throw new ContinuoError('invalid-input', { what: 'key parameters', reason: z.prettifyError(result.error) });
}

function deriveSlow(passphrase: Uint8Array, salt: Uint8Array, options: ScryptOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** A key file is random already: spreading it out is enough, slowness would buy nothing. */
function deriveFast(secret: Uint8Array, salt: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    hkdf('sha256', secret, salt, 'continuo key file', keyLength, (error, key) =>
      error ? reject(error) : resolve(new Uint8Array(key)),
    );
  });
}

function checkKeyFileLength(length: number): void {
  if (length < minKeyFileLength)
    throw invalidKeyFile(`it has ${length} bytes, and at least ${minKeyFileLength} random bytes are needed`);
  if (length > maxKeyFileLength) throw invalidKeyFile(`it has ${length} bytes, more than any key needs`);
}

function invalidKeyFile(reason: string): ContinuoError {
  return new ContinuoError('invalid-input', { what: 'key file', reason });
}

function toKeyFileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof ContinuoError || code === undefined) return error;
  if (code === 'ENOENT') return invalidKeyFile(`${path} does not exist`);
  if (code === 'EACCES' || code === 'EPERM') return new ContinuoError('permission-denied', { path }, { cause: error });
  if (code === 'EMFILE' || code === 'ENFILE') return new ContinuoError('too-many-files', { path }, { cause: error });
  return new ContinuoError('io-failed', { path, reason: (error as Error).message }, { cause: error });
}
