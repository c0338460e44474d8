// The suite every storage driver runs whole. Free of any test framework: give each case to the `it` or `test` of your choice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreDriver } from '../../model/ports/store-driver.ts';
import { ConversationStore } from '../../store/conversation-store.ts';
import { conversationCases } from './conversation-cases.ts';
import { draftCases } from './draft-cases.ts';
import { entryCases } from './entry-cases.ts';
import type { ConformanceCase } from './harness.ts';
import { lifeCases } from './life-cases.ts';
import { sharedCases } from './shared-cases.ts';

export interface ConformanceSubject {
  /** A new driver instance over the data in the folder; instances over one folder see the same data. */
  createDriver(folder: string): StoreDriver;
}

export interface RunnableCase {
  name: string;
  run(): Promise<void>;
}

/** Every case, bound to the driver under test. Each runs in a folder of its own and cleans up after itself. */
export function storeConformance(subject: ConformanceSubject): RunnableCase[] {
  const all: ConformanceCase[] = [...conversationCases, ...entryCases, ...draftCases, ...lifeCases, ...sharedCases];
  return all.map(({ name, run }) => ({
    name,
    run: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'continuo-conformance-'));
      const data = join(folder, 'data');
      const stores: ConversationStore[] = [];
      const driver = () => subject.createDriver(data);
      try {
        await run({
          driver,
          folder,
          async open(options = {}) {
            const store = await ConversationStore.open({ ...options, driver: driver() });
            stores.push(store);
            return store;
          },
        });
      } finally {
        for (const store of stores) await store.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  }));
}
