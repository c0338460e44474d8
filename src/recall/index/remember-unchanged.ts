// Answers of the index that cost a walk over it, kept as long as nobody, here or in another process, has changed the file.
import type { Database } from 'better-sqlite3-multiple-ciphers';
import { statement } from './statements.ts';

interface Kept {
  version: string;
  answers: Map<string, unknown>;
}

const kept = new WeakMap<Database, Kept>();
const mostAnswers = 50;

export function rememberUnchanged<Answer>(database: Database, question: string, ask: () => Answer): Answer {
  const version = versionOf(database);
  let known = kept.get(database);
  if (known?.version !== version || known.answers.size >= mostAnswers) {
    known = { version, answers: new Map() };
    kept.set(database, known);
  }
  if (!known.answers.has(question)) known.answers.set(question, ask());
  return known.answers.get(question) as Answer;
}

/** The first number moves with what others commit, the second with what this connection does. */
function versionOf(database: Database): string {
  const others = statement<[], number>(database, 'SELECT data_version FROM pragma_data_version').pluck().get();
  const own = statement<[], number>(database, 'SELECT total_changes()').pluck().get();
  return `${others} ${own}`;
}
