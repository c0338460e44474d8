// Which SQLite this installation runs on; loading it is the proof that its binary fits this Node.js.
import Database from 'better-sqlite3-multiple-ciphers';

export function readSqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return database.prepare<[], string>('SELECT sqlite_version()').pluck().get() as string;
  } finally {
    database.close();
  }
}
