// Proposes files for a task: by what the index knows (paths, symbols, comments, the text itself), by what earlier conversations say,
// by what belongs together, and, where there is a model, by one look of it over the short list.
import { unlessAborted } from '../../base/unless-aborted.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { TextModel } from '../../model/ports/text-model.ts';
import { buildTerms } from '../../recall/scan-recall-terms.ts';
import type { CodeContextManager } from '../context/code-context-manager.ts';
import { createPause } from '../context/project-index.ts';
import type { FileReason, RelevantFile } from '../context/relevant-files.ts';
import { isTestFile, subjectOf } from '../context/test-file.ts';
import { MentionFinder } from './mentioned-files.ts';
import { askForOrder } from './model-order.ts';
import { rankFiles } from './rank-files.ts';
import { findCodeWords, findPlainWords } from './task-words.ts';

export interface ContextRecommenderOptions {
  contextManager: CodeContextManager;
  recall?: Recall;
  /** Looks once over the short list. */
  model?: TextModel;
  /** The project's key, so that recall prefers what was said here. */
  project?: string;
  /** The conversation that asks: it is not quoted to itself. */
  except?: ConversationId;
}

export interface RecommendOptions {
  limit?: number;
  signal?: AbortSignal;
}

const defaultLimit = 10;
/** How many of the best lead to their neighbours, and how many a model looks at. */
const seeds = 8;
const shortList = 30;
/** Fewer than this, and the text of the files is looked through as well. */
const enough = 3;
const maxMentions = 200;
const recallHits = 12;
const recallSeconds = 10;

export class ContextRecommender {
  readonly #options: ContextRecommenderOptions;

  constructor(options: ContextRecommenderOptions) {
    this.#options = options;
  }

  /** Best first. Looks at the project as it is now: the index is brought up to date first. */
  async recommend(task: string, options: RecommendOptions = {}): Promise<RelevantFile[]> {
    const { limit = defaultLimit, signal = new AbortController().signal } = options;
    const { contextManager: context } = this.#options;
    await context.refresh(signal);
    const scores = new Scores();
    await this.#addWords(scores, task, signal);
    const mentions = new MentionFinder(context);
    const top = Math.max(1, scores.best);
    for (const path of mentions.find(task)) scores.add(path, 3 * top, { kind: 'named' });
    await this.#addRecall(scores, task, mentions, top, signal);
    for (const path of context.touched().slice(0, seeds)) scores.add(path, 0.1 * top, { kind: 'read' });
    this.#addNeighbours(scores);
    const files = scores.list().slice(0, Math.max(limit, shortList));
    return this.#order(files, task, limit, signal);
  }

  async #addWords(scores: Scores, task: string, signal: AbortSignal): Promise<void> {
    const { contextManager: context } = this.#options;
    const terms = buildTerms(task);
    const ranked = terms.length === 0 ? [] : await rankFiles(context.records(), terms, createPause(signal));
    for (const { record, score, why } of ranked) scores.add(record.path, score, ...why);
    const code = findCodeWords(task);
    const words = ranked.length < enough ? [...new Set([...code, ...findPlainWords(task)])] : code;
    const found = await context.findText(words, { signal, limit: maxMentions });
    const top = Math.max(1, scores.best);
    // A word that is everywhere tells little.
    const share = (word: string) => 1 / (1 + Math.log(1 + [...found.values()].filter((held) => held.includes(word)).length));
    const worth = new Map(words.map((word) => [word, share(word)]));
    for (const [path, held] of found) {
      const score = held.reduce((sum, word) => sum + (worth.get(word) ?? 0), 0);
      scores.add(path, (0.5 * top * score) / Math.max(1, words.length), { kind: 'mention', text: held.join(', ') });
    }
  }

  async #addRecall(scores: Scores, task: string, mentions: MentionFinder, top: number, signal: AbortSignal): Promise<void> {
    const { recall, project, except } = this.#options;
    if (!recall || task.trim() === '') return;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(recallSeconds * 1000)]);
    const query = {
      text: task,
      limit: recallHits,
      signal: bounded,
      ...(project !== undefined && { hereProject: project }),
      ...(except !== undefined && { except }),
    };
    // Earlier talk is a help, not a need: without it the index alone proposes.
    const answer = await unlessAborted(bounded, recall.find(query)).catch(() => undefined);
    signal.throwIfAborted();
    const best = answer?.hits[0]?.score ?? 0;
    for (const { text, title, score, conversationId } of answer?.hits ?? []) {
      const weight = best > 0 ? Math.max(0.2, score / best) : 0.5;
      for (const path of mentions.find(text)) {
        scores.add(path, 0.6 * top * weight, { kind: 'recall', text: title ?? conversationId });
      }
    }
  }

  /** What belongs to the best: what it imports, who imports it, and its tests. However many say so, the strongest counts. */
  #addNeighbours(scores: Scores): void {
    const { contextManager: context } = this.#options;
    const boosts = new Map<string, { score: number; why: FileReason[] }>();
    const boost = (path: string, score: number, reason: FileReason) => {
      const known = boosts.get(path) ?? { score: 0, why: [] };
      boosts.set(path, { score: Math.max(known.score, score), why: [...known.why, reason] });
    };
    for (const { path, score } of scores.list().slice(0, seeds)) {
      for (const to of new Set(context.importsOf(path).map((edge) => edge.to))) {
        boost(to, 0.2 * score, { kind: 'imported-by', path });
      }
      for (const from of new Set(context.importersOf(path).map((edge) => edge.from))) {
        const isItsTest = isTestFile(from) && subjectOf(from) === subjectOf(path);
        boost(from, (isItsTest ? 0.3 : 0.15) * score, { kind: isItsTest ? 'test-of' : 'imports', path });
      }
    }
    for (const [path, { score, why }] of boosts) scores.add(path, score, ...why);
  }

  async #order(files: RelevantFile[], task: string, limit: number, signal: AbortSignal): Promise<RelevantFile[]> {
    const { model } = this.#options;
    const short = files.slice(0, shortList);
    const order = model && short.length > 1 ? await askForOrder(model, task, short, signal) : undefined;
    if (!order) return files.slice(0, limit);
    const chosen = order.flatMap((place) => short[place] ?? []);
    const others = files.filter((file) => !chosen.includes(file));
    // The scores stay those of the list, so that they still fall from the first to the last.
    const scores = files.map(({ score }) => score);
    const all = [...chosen.map((file) => ({ ...file, why: [...file.why, { kind: 'model' as const }] })), ...others];
    return all.map((file, i) => ({ ...file, score: scores[i] as number })).slice(0, limit);
  }
}

const maxReasons = 5;

class Scores {
  readonly #files = new Map<string, RelevantFile>();

  get best(): number {
    let best = 0;
    for (const { score } of this.#files.values()) best = Math.max(best, score);
    return best;
  }

  add(path: string, score: number, ...why: FileReason[]): void {
    const file = this.#files.get(path) ?? { path, score: 0, why: [] };
    file.score += score;
    for (const reason of why) {
      const isKnown = file.why.some(
        ({ kind, path: other, text }) => kind === reason.kind && other === reason.path && text === reason.text,
      );
      if (!isKnown && file.why.length < maxReasons) file.why.push(reason);
    }
    this.#files.set(path, file);
  }

  list(): RelevantFile[] {
    return [...this.#files.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  }
}
