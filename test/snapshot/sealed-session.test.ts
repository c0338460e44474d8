// Session files sealed with the store's own codec.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLineSealer } from '../../src/crypto/line-sealer.ts';
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import { createSnapshot } from '../support/session-snapshots.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const withKey = (home: string, byte: number) =>
  new FileSystemStorageService({ home, sealer: createLineSealer(new Uint8Array(32).fill(byte), home) });

describe('a session sealed with the key of the store', () => {
  it('opens with that key only, and is never replaced by the holder of another', async () => {
    const home = createTemporaryFolder('sealed');
    const service = withKey(home, 1);
    const { path } = await service.saveSession('review', createSnapshot(50));
    const written = readFileSync(path, 'utf8');
    // Words of six letters and more: three letters can stand in sealed text by chance.
    expect(written).not.toMatch(/message|parser|second line|你好/);
    expect(await withKey(home, 1).loadSession('review')).toEqual(createSnapshot(50));
    const stranger = withKey(home, 2);
    await expect(stranger.loadSession('review', 'ses_1')).rejects.toMatchObject({ code: 'wrong-key' });
    await expect(stranger.saveSession('review', createSnapshot(60))).rejects.toMatchObject({ code: 'wrong-key' });
    expect(readFileSync(path, 'utf8')).toBe(written);
  });

  it('is told as damaged where a single character was changed', async () => {
    const home = createTemporaryFolder('sealed');
    const { path } = await withKey(home, 1).saveSession('review', createSnapshot(5));
    const written = readFileSync(path, 'utf8');
    const place = written.indexOf('"body":"v1.') + 60;
    writeFileSync(path, written.slice(0, place) + (written[place] === 'A' ? 'B' : 'A') + written.slice(place + 1));
    await expect(withKey(home, 1).loadSession('review', 'ses_1')).rejects.toMatchObject({
      code: 'session-damaged',
      details: { path, reason: 'its sealed part was changed' },
    });
  });
});
