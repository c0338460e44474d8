// The provider for when no model is configured: it needs no network and answers only with what the store holds, quoted, with who
// said it, where and when. Invariant: its first line says so, and every other sentence of substance is a quotation.
import { ContinuoError } from '../../model/error.ts';
import type { Recall, RecallAnswer, RecallHit } from '../../model/ports/recall.ts';
import type { ModelEvent, ModelRequest, TextModel } from '../../model/ports/text-model.ts';
import { line, offlineWords } from './offline-words.ts';

export interface OfflineModelOptions {
  /** Undefined where nothing may be recalled: it says so, and quotes nothing. */
  recall: Recall | undefined;
  /** Whether recall knew what was meant without searching: then nothing is said of how far it searched. */
  isResolved?: () => boolean;
  /** The language of the question if left out. */
  language?: 'en' | 'zh';
  /** Whether an answer ends with how to configure a model. Default true. */
  hasModelHint?: boolean;
}

const quotedPassages = 5;

export function createOfflineModel(options: OfflineModelOptions): TextModel {
  return {
    id: 'offline',
    async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
      const { signal } = request;
      assertWanted(signal);
      const question = lastQuestion(request);
      for await (const text of answer(question, options, signal)) {
        assertWanted(signal);
        yield { type: 'text-delta', text };
      }
      yield { type: 'finish', reason: 'stop', usage: {} };
    },
  };
}

/** The answer in pieces, as a person would read it. */
async function* answer(question: string, options: OfflineModelOptions, signal: AbortSignal): AsyncGenerator<string> {
  const language = options.language ?? (/\p{Script=Han}/u.test(question) ? 'zh' : 'en');
  const words = offlineWords[language];
  if (!options.recall) {
    yield `${[words.noRecall, ...((options.hasModelHint ?? true) ? [words.modelHint] : [])].join('\n')}\n`;
    return;
  }
  yield `${words.nature}\n\n`;
  const wantsNewest = isContentFree(question);
  const found = await find(options.recall, wantsNewest ? '' : question, signal);
  const hits = found.hits.filter((hit) => !isEcho(hit, question)).slice(0, quotedPassages);
  if (hits.length > 0) yield `${wantsNewest ? words.newest : words.found(hits.length)}\n\n`;
  else if (wantsNewest) yield `${words.nothingStored}\n\n`;
  else yield `${words.nothingFound(language === 'zh' ? line(question, '“', '”') : line(question, '"', '"'))}\n\n`;
  for (const [index, hit] of hits.entries()) {
    yield `${index + 1}. ${words.origin(hit, formatMoment(hit.at))} (${hit.conversationId}, ${hit.entryId})\n\n${fence(hit.text)}\n\n`;
  }
  const last = wantsNewest || options.isResolved?.() ? [] : [words.searched(found.searched)];
  if (options.hasModelHint ?? true) last.push(words.modelHint);
  if (last.length > 0) yield `${last.join('\n')}\n`;
}

function lastQuestion({ prompt }: ModelRequest): string {
  let question = '';
  for (const item of prompt) if (item.kind === 'message' && item.role === 'user') question = item.text;
  return question.trim();
}

async function find(recall: Recall, text: string, signal: AbortSignal): Promise<RecallAnswer> {
  try {
    // More than are shown: the question itself is stored by now and is found too.
    return await recall.find({ text, limit: quotedPassages * 2, signal });
  } catch (error) {
    assertWanted(signal);
    if (error instanceof ContinuoError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ContinuoError('model-failed', { provider: 'offline', reason }, { cause: error });
  }
}

/** A passage that says nothing but what was just asked. */
function isEcho(hit: RecallHit, question: string): boolean {
  if (hit.role === 'assistant') return false;
  const passage = bare(hit.text);
  return passage === bare(question) || (passage.length > 200 && bare(question).includes(passage)) || isContentFree(hit.text);
}

function bare(text: string): string {
  return text.replace(/[\s…]+/g, ' ').trim();
}

const goOn =
  /^(?:(?:ok(?:ay)?|please|so|let'?s|can (?:we|you)|could (?:we|you)|well|hi|hello|hey)[\s,]*)*(?:continue|go on|carry on|keep going|resume|next|proceed|(?:pick|take) (?:it )?up where we (?:left off|stopped)|continue where we (?:left off|stopped)|where (?:were|are) we|where did we (?:leave off|stop|get to)|what were we (?:doing|talking about|working on)|what'?s new|catch me up)?(?:\s+(?:please|again|now|then))?[\s.!?…]*$/i;
const goOnChinese =
  /^(?:请|那|那么|好|好的|嗯|你好|您好|我们|咱们|[，,\s])*(?:继续(?:吧|上次的?|之前的?|刚才的?)?|接着(?:来|说|做|上次的?|之前的?)?|往下(?:说|做)?|(?:(?:上次|之前|刚才|我们|咱们|现在)*(?:聊|说|讲|做|谈|讨论|进行)到(?:哪|哪里|哪儿|什么地方))|回顾一下)?[吧呢吗了啊]*[。！？!?.…\s]*$/;

/** "Go on" and the like: there is nothing in it to look for. */
function isContentFree(text: string): boolean {
  const short = text.trim();
  return short.length <= 80 && (goOn.test(short) || goOnChinese.test(short));
}

/** A fence longer than any in the text, so that the quotation cannot end itself. */
function fence(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(Math.max(3, longest + 1));
  return `${marks}\n${text}\n${marks}`;
}

function formatMoment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function assertWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new ContinuoError('cancelled', {}, { cause: signal.reason });
}
