import { describe, it } from 'vitest';
import { createLineSealer } from '../../../crypto/line-sealer.ts';
import { storeConformance } from '../../../testing/store-conformance/store-conformance.ts';
import { JsonlDriver } from './jsonl-driver.ts';

describe('the jsonl driver', () => {
  for (const { name, run } of storeConformance({ createDriver: (folder) => new JsonlDriver({ folder }) })) it(name, run);
});

describe('the jsonl driver with sealed lines', () => {
  const key = new Uint8Array(32).fill(7);
  const createDriver = (folder: string) => new JsonlDriver({ folder, sealer: createLineSealer(key, folder) });
  for (const { name, run } of storeConformance({ createDriver })) it(name, run);
});
