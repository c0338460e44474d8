// A user without the right to write into the store's folder, for a while. Runs without root's power to ignore modes.
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { childInput, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';
import { codeOf, FaultLedger } from './fault-ledger.ts';

export interface ReadOnlyInput {
  subject: SubjectName;
  folder: string;
}

export interface ReadOnlyLine {
  /** What came of opening the store while neither folder nor files could be written. */
  opening: string;
  /** What came of using an open store while nothing could be made in its folder. */
  using: Record<string, string>;
}

const { subject, folder } = childInput<ReadOnlyInput>();
const options = { redactor: false } as const;

async function main(): Promise<void> {
  const first = await openSubject(subject, folder, options);
  const said = new FaultLedger(first);
  await said.create('one');
  await said.create('two');
  await said.appendMany(10);
  await first.close();

  setModes(0o500, 0o400);
  const opening = await codeOf(openAndAppend(said));
  setModes(0o700, 0o600);

  const store = await openSubject(subject, folder, options);
  await said.check(store);
  const going = new FaultLedger(store);
  await going.create('three');
  await going.appendMany(5);
  setModes(0o500, 0o600);
  const using = {
    append: await codeOf(going.appendMany(3)),
    create: await codeOf(store.create({ key: 'four' })),
    backup: await codeOf(store.backup(join(folder, 'backup'))),
    purge: await codeOf(trashAndPurge()),
  };
  await going.check();
  setModes(0o700, 0o600);
  await going.appendMany(5);
  await going.check();
  await said.check(store);
  await store.create({ title: 'five' });
  await store.close();

  const last = await openSubject(subject, folder, options);
  await said.check(last);
  await going.check(last);
  const { problems } = await last.verify();
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  await last.close();
  tell({ opening, using } satisfies ReadOnlyLine);

  async function trashAndPurge(): Promise<void> {
    const { id } = await store.create({ title: 'scrap' });
    await store.trash(id);
    await store.purge(id);
  }
}

/** A store that opens for reading only still returns everything, and refuses to write. */
async function openAndAppend(said: FaultLedger): Promise<void> {
  const store = await openSubject(subject, folder, options);
  try {
    await said.check(store);
    await store.create({ title: 'not possible' });
  } finally {
    await store.close();
  }
}

function setModes(folderMode: number, fileMode: number): void {
  // Outside in when giving rights, inside out when taking them: a folder must be entered to change what is in it.
  if ((folderMode & 0o200) !== 0) chmodSync(folder, folderMode);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? folderMode : fileMode);
  }
  chmodSync(folder, folderMode);
}

await main();
