// Earlier conversations in a chat: before a turn that points at them the model is handed a section that quotes them, in front of what
// the person said and for that turn only; what is said while a turn is at work gets one of its own. Nothing of it is stored as the
// person's words, and trouble with it never stops a turn.
import { isContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Recall, RecallHit } from '../../model/ports/recall.ts';
import type { ModelRequest, PromptItem, TextModel } from '../../model/ports/text-model.ts';
import { isProjectKey } from '../../project/project-key.ts';
import { nameProject } from '../../recall/context/context-source.ts';
import type { PreparedContext } from '../../recall/context/prepare-context.ts';
import type { QuotedPassage } from '../../recall/context/quoted-passage.ts';
import { readIntent } from '../../recall/intent/continue-intent.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import type { Here } from './here.ts';
import { localOffset, prepareHere } from './prepare-here.ts';

export interface ChatRecallOptions {
  store: ConversationStore;
  recall: Recall;
  here: Here;
  /** The conversation that is asking, once there is one. */
  current: () => ConversationId | undefined;
  /** Told once for a turn that something is quoted in. */
  onRecalled: (prepared: PreparedContext) => Promise<void>;
  onProblem: (reason: string) => void;
}

/** Nobody waits longer for what was said before. */
const patience = 3000;
/** Longer texts bring their own content. */
const longestQuestion = 2000;

export class ChatRecall {
  readonly #context: Context;
  readonly #options: ChatRecallOptions;
  /** Of the turn at work, for each thing said in it: its steps see the same. */
  #turn: { id: string; prepared: Map<string, PreparedContext | undefined> } | undefined;

  constructor(context: Context, options: ChatRecallOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The model with earlier conversations before it where they are asked for. */
  wrap(model: TextModel): TextModel {
    const recalled = (request: ModelRequest) => this.#withSection(request);
    return {
      ...model,
      async *stream(request) {
        yield* model.stream(await recalled(request));
      },
    };
  }

  /** For the offline provider, which answers with quotations itself: it is given the ones that were meant. */
  wrapOffline(create: (recall: Recall, isResolved: () => boolean) => TextModel): TextModel {
    let meant: PreparedContext | undefined;
    const isResolved = () => meant !== undefined && meant.intent.kind !== 'search';
    const { recall, store, current } = this.#options;
    const model = create(
      {
        find: async (query) => {
          const except = current();
          const asked = { ...query, ...(except !== undefined && { except }) };
          const answer = await recall.find(isResolved() ? { ...asked, text: '' } : asked);
          const hits = isResolved() ? toHits(meant?.quoted ?? []) : answer.hits;
          return { ...answer, hits: await Promise.all(hits.map((hit) => withName(hit, store))) };
        },
      },
      isResolved,
    );
    const prepare = (request: ModelRequest) => this.#prepare([...request.prompt], request.signal);
    return {
      ...model,
      async *stream(request) {
        meant = await prepare(request);
        yield* model.stream(request);
      },
    };
  }

  async #withSection(request: ModelRequest): Promise<ModelRequest> {
    const prompt = [...request.prompt];
    const shown = [...prompt];
    for (const place of placesOfTurn(prompt)) {
      const prepared = await this.#prepareAt(place, prompt, request.signal);
      if (prepared && prepared.section !== '') shown[place] = { ...prompt[place], text: prepared.prompt } as PromptItem;
    }
    return { ...request, prompt: shown };
  }

  /** For what was said last. */
  #prepare(prompt: readonly PromptItem[], signal: AbortSignal): Promise<PreparedContext | undefined> {
    return this.#prepareAt(lastQuestion(prompt), prompt, signal);
  }

  async #prepareAt(place: number, prompt: readonly PromptItem[], signal: AbortSignal): Promise<PreparedContext | undefined> {
    const question = prompt[place];
    if (question?.kind !== 'message') return undefined;
    const asked = question.text;
    const id = question.turnId ?? `at ${place}`;
    if (this.#turn?.id !== id) this.#turn = { id, prepared: new Map() };
    const { prepared: known } = this.#turn;
    if (known.has(asked)) return known.get(asked);
    const prepared = await this.#look(asked, prompt.slice(0, place), signal);
    known.set(asked, prepared);
    if (prepared && prepared.sources.length > 0) await this.#options.onRecalled(prepared);
    return prepared;
  }

  async #look(asked: string, before: readonly PromptItem[], signal: AbortSignal): Promise<PreparedContext | undefined> {
    const now = this.#context.now();
    const intent = readIntent(asked, { now, offsetMinutes: localOffset(now) });
    const hasTalked = before.some((item) => item.kind === 'message' && item.role === 'assistant');
    const pointsAway = intent.deixis.elsewhere || intent.when !== undefined;
    // In the middle of a talk "go on" means the talk.
    if (intent.kind === 'continue' && hasTalked && !pointsAway) return undefined;
    if (intent.kind === 'search' && (intent.content === '' || asked.length > longestQuestion)) return undefined;
    const { store, recall, here, current, onProblem } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    try {
      const present = before.flatMap((item) => (item.kind === 'message' ? [item.text] : []));
      const prepared = await withLimit(
        prepareHere(this.#context, { store, recall, here, asked, present, except: current(), signal: limit }),
        limit,
      );
      const isNamed = prepared.sources.some(({ why }) => why.includes('content'));
      return hasTalked && !pointsAway && !isNamed ? undefined : prepared;
    } catch (error) {
      if (signal.aborted) throw error;
      const { text } = this.#context;
      onProblem(limit.aborted ? text.recall.slow : isContinuoError(error) ? describeError(error, text) : String(error));
      return undefined;
    }
  }
}

function withLimit<Result>(work: Promise<Result>, limit: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(limit.reason);
    if (limit.aborted) stop();
    limit.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => limit.removeEventListener('abort', stop));
  });
}

/** What was said in the turn at work: what began it, and what was said while it went on. */
function placesOfTurn(prompt: readonly PromptItem[]): number[] {
  const last = lastQuestion(prompt);
  const turnId = prompt[last]?.turnId;
  if (turnId === undefined) return [last];
  return [...prompt.keys()].filter((place) => {
    const item = prompt[place];
    return item?.kind === 'message' && item.role === 'user' && item.turnId === turnId;
  });
}

function lastQuestion(prompt: readonly PromptItem[]): number {
  return prompt.findLastIndex((item) => item.kind === 'message' && item.role === 'user');
}

function toHits(quoted: readonly QuotedPassage[]): RecallHit[] {
  return quoted.flatMap(({ conversationId, entryId, at, who, text, title, projectName }, i) => {
    if (entryId === undefined) return [];
    const isSaid = who === 'user' || who === 'assistant';
    const kind = isSaid ? 'message' : who === 'tool' ? 'tool-result' : 'summary';
    const facts = { ...(title !== undefined && { title }), ...(projectName !== undefined && { project: projectName }) };
    return [{ conversationId, entryId, at, kind, ...(isSaid && { role: who }), ...facts, text, score: quoted.length - i }];
  });
}

/** A project by the name people know it by. */
async function withName(hit: RecallHit, store: ConversationStore): Promise<RecallHit> {
  const conversation = isProjectKey(hit.project) ? await store.find(hit.conversationId) : undefined;
  const name = conversation && nameProject(conversation);
  return name === undefined ? hit : { ...hit, project: name };
}
