// What a conversation is about, as a few phrases, without a model: words and cohesive groups of words that come back, weighted by who
// said them and how widely they are spread. The same entries always give the same topics.
import type { Entry } from '../../model/entry.ts';
import { weakWords } from '../tokens/weak-words.ts';
import { type TextWord, toProse, wordRuns } from './text-words.ts';

export interface Topic {
  name: string;
  /** 1 for the heaviest; comparable within one conversation only. */
  weight: number;
}

export interface TopicOptions {
  /** 5 if left out. */
  maxTopics?: number;
}

interface Candidate {
  key: string;
  /** How it was written, and how often so. */
  names: Map<string, number>;
  words: readonly TextWord[];
  count: number;
  weight: number;
  /** How many entries hold it. */
  spread: number;
  lastEntry: number;
  first: number;
}

const maxPhrase = 3;
/** The beginning of a long message says what it is about. */
const maxCharacters = 4000;
/** Below this many entries a phrase need not come back to count. */
const fewEntries = 6;

export function extractTopics(entries: Iterable<Entry>, options: TopicOptions = {}): Topic[] {
  const { maxTopics = 5 } = options;
  const candidates = new Map<string, Candidate>();
  let read = 0;
  for (const entry of entries) {
    const weight = weightOf(entry);
    if (weight === 0) continue;
    read += 1;
    const text = 'text' in entry ? entry.text.slice(0, maxCharacters) : '';
    for (const run of wordRuns(toProse(text))) countPhrases(run, candidates, weight, read);
  }
  const scored = [...candidates.values()]
    .filter((candidate) => isTopic(candidate, candidates, read))
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((a, b) => b.score - a.score || a.candidate.first - b.candidate.first);
  const chosen = withoutParts(scored, maxTopics);
  const top = chosen[0]?.score ?? 1;
  return chosen.map(({ candidate, score }) => ({ name: nameOf(candidate), weight: Math.round((score / top) * 1000) / 1000 }));
}

function weightOf(entry: Entry): number {
  if (entry.withheld) return 0;
  // Not summaries: what they repeat was said, and the rest is words of ours.
  if (entry.kind !== 'message') return 0;
  return entry.role === 'user' ? 1.5 : entry.role === 'assistant' ? 1 : 0;
}

function countPhrases(run: readonly TextWord[], candidates: Map<string, Candidate>, weight: number, entry: number): void {
  for (let start = 0; start < run.length; start++) {
    for (let length = 1; length <= maxPhrase && start + length <= run.length; length++) {
      const words = run.slice(start, start + length);
      if (words.some(({ script }) => script !== words[0]?.script)) break;
      // An identifier is a name already.
      if (length > 1 && words[0]?.script === 'identifier') break;
      const key = join(words.map((word) => ({ ...word, text: word.key })));
      const name = join(words);
      const known = candidates.get(key);
      const candidate = known ?? {
        key,
        names: new Map(),
        words,
        count: 0,
        weight: 0,
        spread: 0,
        lastEntry: 0,
        first: candidates.size,
      };
      if (!known) candidates.set(key, candidate);
      candidate.names.set(name, (candidate.names.get(name) ?? 0) + 1);
      candidate.count += 1;
      candidate.weight += weight;
      if (candidate.lastEntry !== entry) candidate.spread += 1;
      candidate.lastEntry = entry;
    }
  }
}

function join(words: readonly TextWord[]): string {
  return words.map(({ text }) => text).join(words[0]?.script === 'cjk' ? '' : ' ');
}

function isTopic({ words, count }: Candidate, candidates: Map<string, Candidate>, entries: number): boolean {
  const first = words[0];
  const last = words.at(-1);
  if (!first || !last || isWeak(first) || isWeak(last)) return false;
  if (words.length === 1) return first.script === 'identifier' ? first.key.length > 2 : [...first.key].length > 1;
  const rarest = Math.min(...words.map(({ key }) => candidates.get(key)?.count ?? count));
  if (count >= 2) return count / rarest >= 0.5;
  return entries < fewEntries && rarest === 1 && words.length === 2 && words.every(isWhole);
}

/** Of Chinese words the short ones are mostly half of another. */
function isWhole({ key, script }: TextWord): boolean {
  return script !== 'cjk' || [...key].length > 1;
}

function isWeak({ key, text, script }: TextWord): boolean {
  if (script === 'identifier') return false;
  return weakWords.has(key) || weakWords.has(text.toLowerCase()) || (script === 'latin' && key.length < 2);
}

function scoreOf({ words, weight, spread, key }: Candidate): number {
  const phrase = 1 + 0.4 * (words.length - 1);
  const script = words[0]?.script;
  // Two letters are rarely a subject; a name in code mostly is.
  const kind =
    script === 'identifier' ? 1.2 : script === 'latin' && key.length <= 3 && !/[A-Z]/.test(words[0]?.text ?? '') ? 0.6 : 1;
  return weight * phrase * kind * (1 + 0.25 * Math.log2(Math.max(1, spread)));
}

interface Scored {
  candidate: Candidate;
  score: number;
}

/** A word that mostly stands inside a chosen phrase goes; a phrase that adds little to a chosen word goes too. */
function withoutParts(scored: readonly Scored[], most: number): Scored[] {
  const chosen: Scored[] = [];
  for (const each of scored) {
    if (chosen.length >= most) break;
    const { candidate } = each;
    const overlaps = scored.some(({ candidate: other }) => {
      if (other === candidate || !contains(other, candidate)) return false;
      const isCovered = other.count / candidate.count >= 0.6;
      return isCovered;
    });
    const repeats = chosen.some(({ candidate: other }) => contains(candidate, other) || contains(other, candidate));
    if (!overlaps && !repeats) chosen.push(each);
  }
  return chosen;
}

function contains(phrase: Candidate, part: Candidate): boolean {
  if (phrase.words.length <= part.words.length) return false;
  const keys = phrase.words.map(({ key }) => key);
  const sought = part.words.map(({ key }) => key);
  return keys.some((_, i) => sought.every((key, j) => keys[i + j] === key));
}

/** The commonest way to write it; of equals the first. */
function nameOf({ names }: Candidate): string {
  let best = '';
  let most = 0;
  for (const [name, count] of names) if (count > most) [best, most] = [name, count];
  return best;
}
