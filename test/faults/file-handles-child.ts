// A process that has used up its file handles, for a while. Started with a low limit.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationId } from '../../src/model/id.ts';
import { childInput, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { codeOf, FaultLedger } from './fault-ledger.ts';

export interface FileHandlesInput {
  subject: SubjectName;
  folder: string;
  /** How many handles are left over, one trial each. */
  leaving: number[];
}

export interface FileHandlesLine {
  leaving: number;
  /** What came of each attempt while the handles were used up. */
  codes: Record<string, string>;
}

const { subject, folder, leaving } = childInput<FileHandlesInput>();
const options = { redactor: false } as const;

async function main(): Promise<void> {
  for (const left of leaving) {
    const home = join(folder, String(left));
    const store = await openSubject(subject, home, options);
    const said = new FaultLedger(store);
    // More conversations than files are kept open at once.
    await Promise.all(Array.from({ length: 70 }, (_, i) => said.create(`key ${i}`)));
    await Promise.all(said.ids.map((id) => said.append(id)));
    const codes = await trySeveral(left, {
      append: () => said.append(said.ids[0] as ConversationId),
      appendMore: () => Promise.all(said.ids.map((id) => said.append(id))),
      create: () => store.create({ key: 'one more' }),
      list: () => store.list({ limit: 500 }),
      read: () => said.check(),
      rename: () => store.rename(said.ids[1] as ConversationId, 'renamed'),
      verify: () => store.verify(),
      open: () => openAndClose(home),
      openNew: () => openAndClose(join(folder, `new ${left}`)),
      backup: () => store.backup(join(folder, `backup ${left}`)),
    });
    await said.check();
    await Promise.all(said.ids.map((id) => said.append(id)));
    await said.check();
    await store.close();
    const reopened = await openSubject(subject, home, options);
    await said.check(reopened);
    const { problems } = await reopened.verify();
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    await reopened.close();
    tell({ leaving: left, codes } satisfies FileHandlesLine);
  }
}

async function openAndClose(path: string): Promise<void> {
  await (await openSubject(subject, path, options)).close();
}

async function trySeveral(left: number, attempts: Record<string, () => Promise<unknown>>): Promise<Record<string, string>> {
  const taken: number[] = [];
  const codes: Record<string, string> = {};
  try {
    for (const [name, attempt] of Object.entries(attempts)) {
      // Again each time: a store may have closed files of its own to help itself.
      takeHandles(taken, left);
      codes[name] = await codeOf(attempt());
    }
  } finally {
    for (const handle of taken) closeSync(handle);
  }
  return codes;
}

/** Opens files until there are no handles, then gives so many back. */
function takeHandles(taken: number[], left: number): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
  for (const handle of taken.splice(0, left)) closeSync(handle);
}

await main();
