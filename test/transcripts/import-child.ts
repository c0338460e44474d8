// A process of its own that imports a folder, or lets a session grow, until it is done or killed.
import { appendFileSync, readFileSync } from 'node:fs';
import { findFormat } from '../../src/transcripts/formats.ts';
import { importTranscripts } from '../../src/transcripts/import-transcripts.ts';
import type { TranscriptFormat } from '../../src/transcripts/transcript-format.ts';
import { childInput, createInbox, tell } from '../support/child-side.ts';
import { openSubject, type SubjectName } from '../support/store-subjects.ts';

export type ImportChildInput =
  | { task: 'import'; subject: SubjectName; folder: string; root: string; format: string; diesAfterAppend?: boolean }
  | { task: 'import-all'; subject: SubjectName; folder: string; sessions: readonly { root: string; format: string }[] }
  | { task: 'grow'; from: string; path: string; pieces: number };

export type ImportChildLine = { entries: number } | { piece: number } | { done: true };

const input = childInput<ImportChildInput>();

if (input.task === 'import') {
  const store = await openSubject(input.subject, input.folder);
  const format = findFormat(input.format) as TranscriptFormat;
  tell({ entries: 0 });
  await importTranscripts({
    store,
    format,
    sources: format.discover(input.root),
    onProgress: ({ entries }) => {
      // Between an append and the checkpoint that stands for it.
      if (input.diesAfterAppend && entries > 0) process.kill(process.pid, 'SIGKILL');
      tell({ entries });
    },
  });
  await store.close();
} else if (input.task === 'import-all') {
  const store = await openSubject(input.subject, input.folder);
  const told = createInbox();
  tell({ entries: 0 });
  // All importers begin when the last of them is ready.
  await told();
  for (const { root, format: name } of input.sessions) {
    const format = findFormat(name) as TranscriptFormat;
    await importTranscripts({ store, format, sources: format.discover(root) });
  }
  await store.close();
} else {
  const told = createInbox();
  const bytes = readFileSync(input.from);
  const size = Math.ceil(bytes.length / input.pieces);
  for (let at = 0, piece = 0; at < bytes.length; at += size, piece += 1) {
    // One piece each time it is told to, so that importing and writing happen at the same time for as long as both take.
    await told();
    appendFileSync(input.path, bytes.subarray(at, at + size));
    tell({ piece });
  }
}
tell({ done: true });
process.exit(0);
