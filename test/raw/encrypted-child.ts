// Makes an encrypted store do what needs temporary files, while its parent looks through them.
import { childInput, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';

export interface EncryptedInput {
  subject: SubjectName;
  folder: string;
  backup: string;
  word: string;
}

const { subject, folder, backup, word } = childInput<EncryptedInput>();

async function main(): Promise<void> {
  const store = await openSubject(subject, folder, { redactor: false });
  for (let i = 0; i < 300; i++) {
    const { id } = await store.create({ title: `${word} ${i}`, key: `${word}:${i}` });
    await store.append(id, { kind: 'message', role: 'user', text: `${word} `.repeat(5000) });
    if (i % 100 === 0) await store.trash(id);
  }
  tell({ ready: true });
  await store.compressCold(0).catch(() => undefined);
  for (const { id } of (await store.list({ trash: 'only' })).items) await store.purge(id);
  await store.list({ title: word, limit: 1000 });
  await store.backup(backup);
  await store.compressCold(Date.now() + 1000).catch(() => undefined);
  await store.close();
}

await main();
