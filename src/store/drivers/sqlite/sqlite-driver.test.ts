import { randomBytes } from 'node:crypto';
import { describe, it } from 'vitest';
import { storeConformance } from '../../../testing/store-conformance/store-conformance.ts';
import { SqliteDriver } from './sqlite-driver.ts';

describe('sqlite driver', () => {
  for (const { name, run } of storeConformance({ createDriver: (folder) => new SqliteDriver({ folder }) })) it(name, run);
});

describe('sqlite driver, encrypted', () => {
  const key = randomBytes(32);
  for (const { name, run } of storeConformance({ createDriver: (folder) => new SqliteDriver({ folder, key }) })) it(name, run);
});
