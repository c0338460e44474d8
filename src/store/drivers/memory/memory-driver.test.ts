import { describe, it } from 'vitest';
import { storeConformance } from '../../../testing/store-conformance/store-conformance.ts';
import { MemoryDriver } from './memory-driver.ts';

describe('memory driver', () => {
  // Data in memory belongs to the instance: all stores of one case share it.
  const drivers = new Map<string, MemoryDriver>();
  const createDriver = (folder: string) => {
    const driver = drivers.get(folder) ?? new MemoryDriver();
    drivers.set(folder, driver);
    return driver;
  };
  for (const { name, run } of storeConformance({ createDriver })) it(name, run);
});
