// A consistent copy of a live database, made in a thread of its own so that neither this process nor other writers wait for it.
import { stat } from 'node:fs/promises';
import type { Progress } from '../../../model/ports/store-driver.ts';

// Kept as text: a separate file would have to be found again in every bundle. `VACUUM INTO` reads one snapshot and writes a
// compact file with the same key.
const copyProgram = `
const { workerData } = require('node:worker_threads');
import(workerData.module).then(({ default: Database }) => {
  const database = new Database(workerData.from, { timeout: 30000 });
  if (workerData.key) {
    database.pragma("cipher = 'aegis'");
    database.pragma('key = "raw:' + workerData.key + '"');
    database.pragma('temp_store = MEMORY');
  }
  database.prepare('VACUUM INTO ?').run(workerData.to);
  database.close();
});
`;

export async function copyDatabase(from: string, to: string, key: Uint8Array | undefined, progress?: Progress): Promise<void> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(copyProgram, {
    eval: true,
    workerData: {
      module: import.meta.resolve('better-sqlite3-multiple-ciphers'),
      from,
      to,
      key: key && Buffer.from(key).toString('hex'),
    },
  });
  // Listened to from the first moment: a thread that cannot even start says so at once.
  const copied = new Promise<void>((resolve, reject) => {
    worker.once('error', (error) => reject(asSystemFault(error)));
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the copy stopped with code ${code}`))));
  });
  copied.catch(() => undefined);
  const total = (await stat(from)).size;
  const ticker = progress && setInterval(() => void report(to, total, progress), 200);
  try {
    await copied;
    progress?.(total, total);
  } finally {
    clearInterval(ticker);
  }
}

/** Node.js names the reason a thread did not start in the message only. */
function asSystemFault(error: Error & { code?: unknown }): Error {
  const [reason] = (error.code === 'ERR_WORKER_INIT_FAILED' && /\bE[A-Z]{3,}\b/.exec(error.message)) || [];
  return reason === undefined ? error : Object.assign(new Error(error.message, { cause: error }), { code: reason });
}

async function report(path: string, total: number, progress: Progress): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  progress(Math.min(size, total), total);
}
