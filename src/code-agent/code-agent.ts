// Public door `continuo/code-agent`. A coding agent whose session survives: it reads, edits, runs, checks, has its change reviewed, and commits on request. What it was
// told and did is in the log the moment it happened; what else it needs is saved at rest points, and the rest is rebuilt from that.
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { NewConversation } from '../model/conversation.ts';
import { ContinuoError, fillTemplate } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { Recall } from '../model/ports/recall.ts';
import type { TextModel } from '../model/ports/text-model.ts';
import type { SessionApprovalsOptions } from '../runtime/approvals/session-approvals.ts';
import type { RuntimeEvent } from '../runtime/runtime-event.ts';
import type { EnvelopeUpgrade } from '../snapshot/envelope.ts';
import { type RestoredFrom, SessionRestorable, type SessionRestorableOptions } from '../snapshot/session-restorable.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import { createBuiltinTools } from '../tools/builtin/builtin-tools.ts';
import type { CommandRunner } from '../tools/builtin/run-command.ts';
import type { OpenAiMessage } from '../transcripts/openai/openai-messages.ts';
import { AgentSession } from './agent-session.ts';
import { createAgentTools } from './agent-tools.ts';
import { createApprovedRunner } from './approved-runner.ts';
import { checkChange } from './check-change.ts';
import { agentType, type CodeAgentState, defaultReviewIterations, findStateFault, type WorkState } from './code-agent-state.ts';
import type { ChangeSet } from './diff/diff-manager.ts';
import type { CommitResult } from './git/commit.ts';
import type { DirtyPaths } from './git/dirty-paths.ts';
import { describeImpact } from './impact/impact-report.ts';
import { askForReview, buildWorkInstructions, reviewInstructions } from './instructions.ts';
import { createLegacyUpgrade } from './legacy-session.ts';
import { type CodeAgentManagers, createManagers } from './managers.ts';
import { findOwnChanges } from './own-changes.ts';
import { findRoot } from './restore-root.ts';
import { type ReviewVerdict, readVerdict } from './review/review-verdict.ts';
import { chooseTools } from './tool-groups.ts';
import { type Checks, runWork, type WorkReport } from './work-loop.ts';

export type { CodeAgentState, WorkPhase, WorkState } from './code-agent-state.ts';
export type { ChangeSet, FileChange } from './diff/diff-manager.ts';
export type { CommitResult } from './git/commit.ts';
export type { CodeAgentManagers } from './managers.ts';
export type { ReviewVerdict } from './review/review-verdict.ts';
export type { Checks, WorkReport } from './work-loop.ts';

export interface CodeAgentOptions extends Omit<SessionRestorableOptions, 'directory' | 'platform' | 'modelName'> {
  store: ConversationStore;
  model: TextModel;
  /** The project's folder, absolute and with links resolved. */
  rootDir: string;
  /** The person named the folder: then a saved session works there, whatever folder it was saved in. */
  isRootNamed?: boolean;
  /** What git and the project's programs find in their environment. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Runs commands, in bounds; without it nothing is run and nothing is checked. */
  commands?: CommandRunner;
  recall?: Recall;
  approvals?: SessionApprovalsOptions;
  /** Data of the conversation where a new one is begun: its project, its tags. */
  conversation?: NewConversation;
  toolGroup?: string;
  modelGroup?: string;
  disableReview?: boolean;
  reviewMaxIterations?: number;
  nonInteractive?: boolean;
  /** The model a saved session names; undefined where it cannot be had: then the present one goes on. */
  findModel?: (name: string) => Promise<TextModel | undefined>;
}

export type CodeAgentEvent =
  | ({ type: 'phase' } & WorkState)
  | { type: 'checks'; checks: Checks }
  | { type: 'check-output'; text: string }
  | { type: 'review'; verdict: ReviewVerdict }
  | { type: 'runtime'; event: RuntimeEvent };

export interface RunOptions {
  signal?: AbortSignal;
}

/** What is chosen once and saved. */
type Settings = Pick<
  CodeAgentState,
  'root_dir' | 'tool_group' | 'model_group' | 'disable_review' | 'review_max_iterations' | 'non_interactive'
>;

/** A restored state that is ready to take the place of the present one. */
interface Prepared {
  settings: Settings;
  model: TextModel;
  managers: CodeAgentManagers;
  session: AgentSession | undefined;
}

const promptTokens = { overview: 2000, change: 12_000, impact: 1500 };
const recommendedFiles = 8;
const longestTitle = 80;

export class CodeAgent extends SessionRestorable {
  readonly #options: CodeAgentOptions;
  readonly #clock: Clock;
  readonly #listeners = new Set<(event: CodeAgentEvent) => void>();
  #settings: Settings;
  #model: TextModel;
  #managers: CodeAgentManagers;
  #session: AgentSession | undefined;
  #startCommit: string | null = null;
  #branch: string | undefined;
  #dirty: DirtyPaths | undefined;
  #task: string | undefined;
  #work: WorkState = { phase: 'idle', checks: 0, reviews: 0 };
  #prepared: Prepared | undefined;
  #running = false;

  constructor(options: CodeAgentOptions) {
    super({ ...options, directory: options.rootDir, platform: options.model.id.split(':')[0] ?? '' });
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#model = options.model;
    this.#settings = {
      root_dir: options.rootDir,
      tool_group: options.toolGroup ?? 'default',
      model_group: options.modelGroup ?? 'default',
      disable_review: options.disableReview ?? false,
      review_max_iterations: options.reviewMaxIterations ?? defaultReviewIterations,
      non_interactive: options.nonInteractive ?? false,
    };
    this.#managers = this.#rebuildManagers(options.rootDir);
  }

  get rootDir(): string {
    return this.#settings.root_dir;
  }

  /** The commit the work began from; null where there is no git, or nothing was committed yet. */
  get startCommit(): string | null {
    return this.#startCommit;
  }

  get model(): TextModel {
    return this.#model;
  }

  /** What was said and done so far, as OpenAI's format has it. */
  get messages(): readonly OpenAiMessage[] {
    return this.#session?.messages ?? [];
  }

  get task(): string | undefined {
    return this.#task;
  }

  /** How far the work is. */
  get work(): Readonly<WorkState> {
    return this.#work;
  }

  get conversationId(): ConversationId | undefined {
    return this.#session?.conversation.id;
  }

  get managers(): CodeAgentManagers {
    return this.#managers;
  }

  /** Tells what happens, also after a restore. Returns the way to stop. */
  listen(listener: (event: CodeAgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Works on what the person says; without words it goes on where the work stands. One run at a time. */
  async run(words?: string, { signal = new AbortController().signal }: RunOptions = {}): Promise<WorkReport> {
    if (this.#running) throw new ContinuoError('conversation-busy', { id: this.conversationId ?? '' });
    this.#running = true;
    try {
      const session = await this.#begin(words, signal);
      return await runWork(
        {
          state: this.#work,
          reviewMaxIterations: this.#settings.disable_review ? 0 : this.#settings.review_max_iterations,
          say: async (said) => (await session.conversation.message(said, { signal })).text,
          findChanges: () => this.findChanges(signal),
          check: (changes) => this.#check(changes, signal),
          review: (changes, checks) => this.#review(session, changes, checks, signal),
          enter: (phase) => this.#enter(phase),
        },
        words,
      );
    } finally {
      this.#running = false;
      await this.#save();
    }
  }

  /** What changed since the work began, without what the person had changed before and left as it was. */
  async findChanges(signal?: AbortSignal): Promise<ChangeSet> {
    return findOwnChanges(this.#managers, { startCommit: this.#startCommit, messages: this.messages, signal });
  }

  /** Commits what the agent changed, and nothing the person had changed before. Throws `commit-refused` with the reason. */
  async commit(message: string, { signal }: RunOptions = {}): Promise<CommitResult> {
    const { gitManager } = this.#managers;
    const { own, mixed } = await gitManager.ownChanges(signal);
    return gitManager.commit({ message, paths: [...own, ...mixed], ...(signal && { signal }) });
  }

  /** Saves, and lets go of the conversation. A turn at work is stopped; what it had said is kept. */
  async close(): Promise<void> {
    await this.#session?.close();
    if (this.#session) await this.#save();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected getSessionFilePrefix(): string {
    return agentType;
  }

  protected override getSessionModelName(): string {
    return this.#model.id.split(':').slice(1).join(':');
  }

  protected getSessionState(): JsonObject {
    const state: CodeAgentState = {
      agent_type: agentType,
      ...this.#settings,
      model_name: this.#model.id,
      start_commit: this.#startCommit,
      messages: this.messages,
      work: { ...this.#work },
      ...(this.#session && { conversation: { id: this.#session.conversation.id, seq: this.#session.seq } }),
      ...(this.#task !== undefined && { task: this.#task }),
      ...(this.#branch !== undefined && { branch: this.#branch }),
      ...(this.#dirty && { dirty_at_start: this.#dirty }),
    };
    return state as unknown as JsonObject;
  }

  protected override get sessionUpgrades(): readonly EnvelopeUpgrade[] {
    return [createLegacyUpgrade(this.#settings, this.#model.id)];
  }

  /** Everything that can go wrong goes wrong here, before anything of the agent has changed. */
  protected override async validateSessionState(state: JsonObject, { path }: RestoredFrom): Promise<string | undefined> {
    if (this.#running) throw new ContinuoError('conversation-busy', { id: this.conversationId ?? '' });
    const fault = findStateFault(state);
    if (fault) return `"${fault.field}": ${fault.reason}`;
    await this.#prepared?.session?.close();
    this.#prepared = await this.#prepare(state as unknown as CodeAgentState, path);
    return undefined;
  }

  protected override async setSessionState(restored: JsonObject): Promise<void> {
    const prepared = this.#prepared;
    if (!prepared) throw new ContinuoError('internal', { reason: 'the state was not looked at before' });
    const state = restored as unknown as CodeAgentState;
    const before = this.#session;
    this.#prepared = undefined;
    this.#settings = prepared.settings;
    this.#model = prepared.model;
    this.#managers = prepared.managers;
    this.#session = prepared.session;
    this.#startCommit = state.start_commit;
    this.#branch = state.branch;
    this.#dirty = state.dirty_at_start;
    this.#task = state.task ?? firstWords(state.messages);
    this.#work = { ...(state.work ?? { phase: this.#task === undefined ? 'idle' : 'working', checks: 0, reviews: 0 }) };
    await before?.close();
  }

  /** The conversation to work in, with the agent's first look at the project where it is a new one. */
  async #begin(words: string | undefined, signal: AbortSignal): Promise<AgentSession> {
    if (this.#session) return this.#session;
    if (words === undefined) throw new ContinuoError('invalid-input', { what: 'task', reason: 'there is nothing to go on with' });
    const { gitManager } = this.#managers;
    const state = await gitManager.inspect(signal);
    this.#startCommit = state.kind === 'repository' ? state.head : null;
    this.#branch = state.kind === 'repository' ? (state.branch ?? undefined) : undefined;
    this.#dirty = await gitManager.dirtyAtStart(signal);
    this.#task = words;
    this.#session = await this.#open(this.#managers, this.#settings, this.#model, { task: words, signal });
    return this.#session;
  }

  async #open(
    managers: CodeAgentManagers,
    settings: Settings,
    model: TextModel,
    given: { task: string | undefined; signal?: AbortSignal; saved?: CodeAgentState },
  ): Promise<AgentSession> {
    const { task = '', signal, saved } = given;
    const { store, recall, commands, approvals = {} } = this.#options;
    const { contextManager, contextRecommender, gitManager } = managers;
    const [state] = await Promise.all([gitManager.inspect(signal), contextManager.refresh(signal)]);
    const recommended =
      task === '' ? [] : await contextRecommender.recommend(task, { limit: recommendedFiles, ...(signal && { signal }) });
    const root = settings.root_dir;
    const builtin = createBuiltinTools({
      root,
      ...(commands && { runCommand: commands }),
      ...(recall && { recall }),
    });
    const changed = async () => (await this.findChanges()).files.map(({ path }) => path);
    const tools = chooseTools(settings.tool_group, [...builtin, ...createAgentTools(() => this.#managers, changed)]);
    const branch = state.kind === 'repository' ? (state.branch ?? undefined) : undefined;
    const instructions = buildWorkInstructions({
      rootDir: root,
      overview: contextManager.describe({ tokens: promptTokens.overview }),
      recommended,
      branch,
    });
    const title = task.trim().split('\n')[0]?.slice(0, longestTitle);
    const create: NewConversation = { agent: 'continuo-code', ...(title && { title }), ...this.#options.conversation };
    const onEvent = (event: RuntimeEvent) => this.#follow(event);
    return AgentSession.open({ store, model, instructions, tools, approvals, create, clock: this.#clock, onEvent }, saved);
  }

  async #prepare(state: CodeAgentState, path: string): Promise<Prepared> {
    const { isRootNamed, rootDir, findModel } = this.#options;
    const { root, moved } = await findRoot({
      saved: state.root_dir,
      beside: dirname(dirname(path)),
      named: isRootNamed ? rootDir : undefined,
      isSameProject: async (folder) =>
        state.start_commit !== null && (await this.#rebuildManagers(folder).gitManager.hasCommit(state.start_commit)),
    });
    const model = (state.model_name === this.#model.id ? undefined : await findModel?.(state.model_name)) ?? this.#model;
    const managers = this.#rebuildManagers(root, state);
    const settings: Settings = {
      root_dir: root,
      tool_group: state.tool_group,
      model_group: state.model_group,
      disable_review: state.disable_review,
      review_max_iterations: state.review_max_iterations,
      non_interactive: state.non_interactive,
    };
    if (moved) this.#warn('code-root-moved', { from: state.root_dir, to: root });
    if (model.id !== state.model_name) this.#warn('code-model-other', { saved: state.model_name, model: model.id });
    if (state.start_commit !== null && !(await managers.gitManager.hasCommit(state.start_commit)))
      this.#warn('code-commit-gone', { commit: state.start_commit });
    const task = state.task ?? firstWords(state.messages);
    const hasWords = state.conversation !== undefined || state.messages.length > 0;
    const session = hasWords ? await this.#open(managers, settings, model, { task, saved: state }) : undefined;
    return { settings, model, managers, session };
  }

  #rebuildManagers(root: string, saved?: CodeAgentState): CodeAgentManagers {
    const { env = {}, commands, recall } = this.#options;
    const place = () => {
      const session = this.#session;
      return session && { approvals: session.session.approvals, conversationId: session.conversation.id };
    };
    const runner = createApprovedRunner({ commands, place, clock: this.#clock });
    return createManagers({ root, env, runner, recall, dirty: saved?.dirty_at_start });
  }

  async #check(changes: ChangeSet, signal: AbortSignal): Promise<Checks> {
    const checks = await checkChange(this.#managers, changes, {
      signal,
      onOutput: (text) => this.#tell({ type: 'check-output', text }),
    });
    this.#tell({ type: 'checks', checks });
    return checks;
  }

  /** A conversation of its own, that knows nothing but the task and the change. */
  async #review({ session }: AgentSession, changes: ChangeSet, checks: Checks, signal: AbortSignal): Promise<ReviewVerdict> {
    const { diffManager, impactManager } = this.#managers;
    const impact = await impactManager.impactOf(
      changes.files.map(({ path }) => path),
      { signal },
    );
    const words = askForReview(
      this.#task ?? '',
      diffManager.describe(changes, { tokens: promptTokens.change }),
      describeImpact(impact, promptTokens.impact),
      checks.text,
    );
    const reviewer = await session.open({
      create: {
        ...this.#options.conversation,
        title: `Review: ${(this.#task ?? '').slice(0, longestTitle)}`,
        agent: 'continuo-review',
      },
      instructions: reviewInstructions,
      tools: chooseTools('read-only', createBuiltinTools({ root: this.rootDir })),
    });
    try {
      const verdict = readVerdict((await reviewer.message(words, { signal })).text);
      this.#tell({ type: 'review', verdict });
      return verdict;
    } finally {
      await reviewer.close();
    }
  }

  async #enter(phase: WorkState['phase']): Promise<void> {
    this.#work.phase = phase;
    this.#tell({ type: 'phase', ...this.#work });
    // Work begins with words: saved when they are in the log, or a resume would go on without them.
    if (phase !== 'working') await this.#save();
  }

  #follow(event: RuntimeEvent): void {
    if (event.type === 'entry-append') this.markChanged();
    if (event.type === 'turn-start' && event.conversationId === this.conversationId) void this.#save();
    if (event.type === 'tool-call') this.#noteFiles(event.tool, event.input);
    this.#tell({ type: 'runtime', event });
  }

  #noteFiles(tool: string, input: unknown): void {
    const path = (input as { path?: unknown } | null)?.path;
    if (typeof path !== 'string') return;
    const { contextManager } = this.#managers;
    if (tool === 'read_file') contextManager.noteRead(path);
    if (tool === 'edit_file' || tool === 'write_file') contextManager.noteChange(path);
  }

  /** A save that fails is told of by its notice, and the work goes on: the log has it all. */
  async #save(): Promise<void> {
    if (!this.isSaved && this.#session) await this.saveSession();
  }

  #tell(event: CodeAgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #warn(code: keyof typeof codeAgentNotices, details: Record<string, string>): void {
    this.notify({ level: 'warning', code, details, text: fillTemplate(codeAgentNotices[code], details) });
  }
}

/** What a restore tells besides what every restore tells. */
export const codeAgentNotices = {
  'code-root-moved': 'The project was at {from} when the session was saved. The work goes on in {to}.',
  'code-model-other': 'The session was held with {saved}, which cannot be had here. {model} goes on.',
  'code-commit-gone':
    'The commit {commit}, from which the work began, is not in the repository any more. Changes are compared with the present one.',
} as const;

function firstWords(messages: readonly OpenAiMessage[]): string | undefined {
  const first = messages.find(({ role }) => role === 'user');
  return typeof first?.content === 'string' ? first.content : undefined;
}
