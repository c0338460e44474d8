// Questions about long conversations with the turns that answer them: `<language>-conversations.jsonl` and `<language>-questions.jsonl`
// in a folder. Ours is bench/data/retrieval; CONTINUO_RETRIEVAL_DATA names another of the same form.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RetrievalConversation {
  id: string;
  project: string;
  date: string;
  turns: { role: 'user' | 'assistant'; text: string }[];
}

export interface RetrievalQuestion {
  id: string;
  question: string;
  /** Conversation and turn: `en-c01:5`. */
  evidence: string[];
  kind: string;
}

export interface RetrievalSet {
  language: string;
  conversations: RetrievalConversation[];
  questions: RetrievalQuestion[];
}

export function readRetrievalSets(root: string): RetrievalSet[] {
  const folder = process.env.CONTINUO_RETRIEVAL_DATA ?? join(root, 'bench/data/retrieval');
  const languages = readdirSync(folder)
    .map((name) => /^(.+)-conversations\.jsonl$/.exec(name)?.[1] ?? '')
    .filter((language) => language && existsSync(join(folder, `${language}-questions.jsonl`)));
  return languages.map((language) => ({
    language,
    conversations: readLines<RetrievalConversation>(join(folder, `${language}-conversations.jsonl`)),
    questions: readLines<RetrievalQuestion>(join(folder, `${language}-questions.jsonl`)),
  }));
}

export function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
