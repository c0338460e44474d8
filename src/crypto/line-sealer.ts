// Sealing of single lines with AES-256-GCM. A sealed line is `v1.<key name>.<nonce, ciphertext and tag>`: the version and the key's
// name are authenticated too, so that a line of another key is told from a line that was changed.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { ContinuoError } from '../model/error.ts';
import type { Sealer } from '../model/ports/sealer.ts';

const version = 'v1';
const nonceLength = 12;
const tagLength = 16;

/** `path` is the store's, for error messages. Two keys are derived from the one given, so that names and lines share none. */
export function createLineSealer(key: Uint8Array, path: string): Sealer {
  if (key.length !== 32) throw new ContinuoError('internal', { reason: `a key of ${key.length} bytes was given, not 32` });
  const lineKey = deriveSubkey(key, 'continuo line');
  const nameKey = deriveSubkey(key, 'continuo name');
  const keyName = createHmac('sha256', nameKey).update('continuo key name').digest('base64url').slice(0, 6);
  const prefix = `${version}.${keyName}.`;
  const authenticated = Buffer.from(prefix, 'ascii');

  return {
    seal(text) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', lineKey, nonce, { authTagLength: tagLength });
      cipher.setAAD(authenticated);
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return prefix + sealed.toString('base64url');
    },

    unseal(line) {
      if (!line.startsWith(prefix)) throw unsealable(line, prefix, path);
      const body = line.slice(prefix.length);
      const sealed = Buffer.from(body, 'base64url');
      // The decoder skips characters that do not belong: a line must be exactly what was written.
      if (sealed.length < nonceLength + tagLength || sealed.toString('base64url') !== body) throw damaged(path);
      const decipher = createDecipheriv('aes-256-gcm', lineKey, sealed.subarray(0, nonceLength), { authTagLength: tagLength });
      decipher.setAAD(authenticated);
      decipher.setAuthTag(sealed.subarray(sealed.length - tagLength));
      try {
        const text = decipher.update(sealed.subarray(nonceLength, sealed.length - tagLength));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (error) {
        throw damaged(path, error);
      }
    },

    fingerprint(text) {
      return `k-${createHmac('sha256', nameKey).update('continuo fingerprint\0').update(text, 'utf8').digest('hex')}`;
    },
  };
}

function deriveSubkey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, new Uint8Array(0), purpose, 32));
}

function unsealable(line: string, prefix: string, path: string): ContinuoError {
  const ofAnotherKey = /^v1\.[\w-]{6}\.[\w-]+$/.test(line) && line.length > prefix.length;
  return ofAnotherKey ? new ContinuoError('wrong-key', { path }) : damaged(path);
}

function damaged(path: string, cause?: unknown): ContinuoError {
  return new ContinuoError('store-damaged', { path, reason: 'a sealed line was changed' }, { cause });
}
