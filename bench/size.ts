// Bytes on disk per message against the bytes of its text.
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import { fill, makeText, withFolder } from './material.ts';
import type { Figure } from './report.ts';

const conversations = 100;
const messages = 200;

export async function benchSize(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const driver of ['sqlite', 'jsonl'] as const) {
    await withFolder(async (folder) => {
      const store = await openStore({ home: join(folder, 'home'), driver });
      for (let i = 0; i < conversations; i++) await fill(store, (await store.create()).id, messages);
      const bytes = async () => (await store.stats()).bytesOnDisk;
      figures.push(sizeFigure(`bytes on disk, ${driver}, times the text`, await bytes()));
      if (driver === 'sqlite') {
        await store.compressCold(Date.now() + 1);
        figures.push(sizeFigure('bytes on disk, sqlite with old text packed, times the text', await bytes()));
      }
      await store.close();
    });
  }
  return figures;
}

function sizeFigure(name: string, bytes: number): Figure {
  let text = 0;
  for (let i = 0; i < messages; i++) text += Buffer.byteLength(makeText(i));
  const count = conversations * messages;
  const textBytes = text * conversations;
  const detail = `${Math.round(bytes / count)} of ${Math.round(textBytes / count)} bytes a message`;
  return { name, value: bytes / textBytes, detail };
}
