// Public door `continuo/code-agent`. A coding agent whose session survives: it reads, edits, runs, checks, has its change reviewed,
// and commits on request. What it was told and did is in the log the moment it happened; what else it needs is saved at rest points,
// and the rest is rebuilt from that.
import { type Clock, systemClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { settlesWithin } from '../base/settles-within.ts';
import { ContinuoError, isContinuoError } from '../model/error.ts';
import type { ConversationId } from '../model/id.ts';
import type { TextModel } from '../model/ports/text-model.ts';
import type { RuntimeEvent } from '../runtime/runtime-event.ts';
import type { EnvelopeUpgrade } from '../snapshot/envelope.ts';
import { type RestoredFrom, SessionRestorable } from '../snapshot/session-restorable.ts';
import type { OpenAiMessage } from '../transcripts/openai/openai-messages.ts';
import { type AgentSession, closeTimeout, type SavedConversation } from './agent-session.ts';
import { createAgentTools } from './agent-tools.ts';
import { createApprovedRunner } from './approved-runner.ts';
import { addWords, titleOf } from './asked-words.ts';
import { checkChange } from './check-change.ts';
import type { CodeAgentEvent, CodeAgentOptions, RunOptions } from './code-agent-options.ts';
import {
  agentType,
  type CodeAgentSettings,
  type CodeAgentState,
  defaultReviewIterations,
  findStateFault,
  type WorkState,
} from './code-agent-state.ts';
import type { ChangeSet } from './diff/diff-manager.ts';
import type { CommitResult } from './git/commit.ts';
import type { DirtyPaths } from './git/dirty-paths.ts';
import { createLegacyUpgrade } from './legacy-session.ts';
import { type CodeAgentManagers, createManagers } from './managers.ts';
import { openWork, type WorkPlace } from './open-work.ts';
import { findInner, findOwnChanges, noteFile } from './own-changes.ts';
import { type Prepared, prepareRestore } from './prepare-restore.ts';
import type { ReviewVerdict } from './review/review-verdict.ts';
import { reviewChange } from './review-change.ts';
import { mayChange } from './tool-groups.ts';
import { type Checks, runWork, type WorkReport } from './work-loop.ts';

export type { CodeAgentEvent, CodeAgentOptions, RunOptions } from './code-agent-options.ts';
export type { CodeAgentState, WorkPhase, WorkState } from './code-agent-state.ts';
export type { ChangeSet, FileChange } from './diff/diff-manager.ts';
export type { CommitResult } from './git/commit.ts';
export type { CodeAgentManagers } from './managers.ts';
export type { ReviewVerdict } from './review/review-verdict.ts';
export type { Checks, WorkReport } from './work-loop.ts';

export class CodeAgent extends SessionRestorable {
  readonly #options: CodeAgentOptions;
  readonly #clock: Clock;
  readonly #listeners = new Set<(event: CodeAgentEvent) => void>();
  #settings: CodeAgentSettings;
  #model: TextModel;
  #managers: CodeAgentManagers;
  #session: AgentSession | undefined;
  #startCommit: string | null = null;
  #branch: string | undefined;
  #dirty: DirtyPaths | undefined;
  #task: string | undefined;
  #work: WorkState = { phase: 'idle', checks: 0, reviews: 0 };
  #prepared: Prepared | undefined;
  #isOther = false;
  #running: { stop: AbortController; settled: Promise<unknown> } | undefined;
  #restores = 0;
  #lastRestore: Promise<unknown> = Promise.resolve();

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

  /** What the person asked for: the first words, and below them what was asked for later. */
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
  async run(words?: string, { signal }: RunOptions = {}): Promise<WorkReport> {
    this.#assertIdle();
    const stop = new AbortController();
    const work = this.#run(words, signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
    this.#running = { stop, settled: work };
    return work;
  }

  /** What changed since the work began, without what the person had changed before and left as it was. */
  async findChanges(signal?: AbortSignal): Promise<ChangeSet> {
    const question = { root: this.rootDir, startCommit: this.#startCommit, dirty: this.#dirty, messages: this.messages, signal };
    return findOwnChanges(this.#managers, question);
  }

  /** Commits what the agent changed, and nothing the person had changed before. Throws `commit-refused` with the reason. */
  async commit(message: string, { signal }: RunOptions = {}): Promise<CommitResult> {
    const { gitManager } = this.#managers;
    try {
      const { own, mixed } = await gitManager.ownChanges(signal);
      const result = await gitManager.commit({ message, paths: [...own, ...mixed], ...(signal && { signal }) });
      const inner = await findInner(this.rootDir, gitManager, this.messages, signal);
      const reason = 'it is in a repository of its own';
      return { ...result, leftOut: [...result.leftOut, ...inner.map(({ path }) => ({ path, reason }))] };
    } catch (error) {
      throw asCancelled(error, signal);
    }
  }

  /** False while a run is at work; see {@link SessionRestorable.restoreSession}. */
  override async restoreSession(source?: string): Promise<boolean> {
    this.#restores += 1;
    try {
      const restore = super.restoreSession(source);
      this.#lastRestore = restore;
      const isRestored = await restore;
      // What the file does not tell yet is saved with the next save, at the latest when the agent is closed.
      if (isRestored && this.#isOther) this.markChanged();
      return isRestored;
    } finally {
      this.#restores -= 1;
    }
  }

  /** Saves, and lets go of the conversation. A run at work is stopped; what it had said is kept. */
  async close(): Promise<void> {
    const running = this.#running;
    running?.stop.abort(new ContinuoError('cancelled'));
    if (running) await settlesWithin(running.settled, closeTimeout);
    await this.#lastRestore;
    await this.#session?.close();
    await this.#save();
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
  protected override async validateSessionState(restored: JsonObject, { path }: RestoredFrom): Promise<string | undefined> {
    if (this.#running) throw this.#busy();
    const fault = findStateFault(restored);
    if (fault) return `"${fault.field}": ${fault.reason}`;
    const state = restored as unknown as CodeAgentState;
    // One conversation is held once: where it is the one that is open here, it is let go for the restored one to take.
    const held = state.conversation?.id === this.conversationId ? this.#session : undefined;
    await held?.close();
    try {
      this.#prepared = await this.#prepare(state, path);
    } catch (error) {
      if (held) this.#session = await this.#open(this.#place(), this.getSessionState() as unknown as CodeAgentState);
      throw error;
    }
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
    this.#dirty = prepared.dirty;
    this.#task = prepared.task;
    this.#isOther = prepared.isOther;
    this.#startCommit = state.start_commit;
    this.#branch = state.branch;
    this.#work = prepared.work;
    await before?.close();
  }

  async #run(words: string | undefined, signal: AbortSignal): Promise<WorkReport> {
    try {
      const session = await this.#begin(words, signal);
      const { disable_review, review_max_iterations } = this.#settings;
      return await runWork(
        {
          state: this.#work,
          reviewMaxIterations: disable_review ? 0 : review_max_iterations,
          say: async (said) => (await session.conversation.message(said, { signal })).text,
          findChanges: () => this.#findOwn(signal),
          check: (changes) => this.#check(changes, signal),
          review: (changes, checks) => this.#review(session, changes, checks, signal),
          enter: (phase) => this.#enter(phase),
        },
        // Words that never reached the log cannot be gone on with.
        words ?? (this.messages.length === 0 ? this.#task : undefined),
      );
    } catch (error) {
      throw asCancelled(error, signal);
    } finally {
      this.#running = undefined;
      await this.#save();
    }
  }

  /** The conversation to work in, with the agent's first look at the project where it is a new one. */
  async #begin(words: string | undefined, signal: AbortSignal): Promise<AgentSession> {
    if (words === undefined && this.#task === undefined)
      throw new ContinuoError('invalid-input', { what: 'task', reason: 'there is nothing to go on with' });
    if (this.#session) {
      if (words !== undefined) this.#task = addWords(this.#task, words);
      return this.#session;
    }
    const { gitManager } = this.#managers;
    const state = await gitManager.inspect(signal);
    const repository = state.kind === 'repository' ? state : undefined;
    this.#startCommit ??= repository?.head ?? null;
    this.#branch ??= repository?.branch ?? undefined;
    this.#dirty ??= await gitManager.dirtyAtStart(signal);
    const task = words ?? this.#task;
    this.#session = await this.#open({ ...this.#place(), task, signal });
    this.#task = task;
    this.#work.phase = 'working';
    // Before the first word: whenever the process dies from here on, there is a session to go on with.
    this.markChanged();
    await this.#save();
    return this.#session;
  }

  #place(): Pick<WorkPlace, 'managers' | 'settings' | 'model' | 'task'> {
    return { managers: this.#managers, settings: this.#settings, model: this.#model, task: this.#task };
  }

  #open(place: Omit<WorkPlace, 'tools' | 'onEvent' | 'clock' | 'saved'>, saved?: SavedConversation): Promise<AgentSession> {
    const changed = async () => (await this.findChanges()).files.map(({ path }) => path);
    return openWork(this.#options, {
      ...place,
      tools: createAgentTools(() => this.#managers, changed),
      onEvent: (event) => this.#follow(event),
      clock: this.#clock,
      ...(saved && { saved }),
    });
  }

  async #prepare(state: CodeAgentState, path: string): Promise<Prepared> {
    await this.#prepared?.session?.close();
    this.#prepared = undefined;
    return prepareRestore(state, path, {
      options: this.#options,
      model: this.#model,
      rebuildManagers: (root, dirty) => this.#rebuildManagers(root, dirty),
      open: (prepared, saved) => this.#open(prepared, saved),
      notify: (notice) => this.notify(notice),
    });
  }

  #rebuildManagers(root: string, dirty?: DirtyPaths): CodeAgentManagers {
    const { env = {}, commands, recall, conversation } = this.#options;
    const place = () => {
      const session = this.#session;
      return session && { approvals: session.session.approvals, conversationId: session.conversation.id };
    };
    const runner = createApprovedRunner({ commands, place, clock: this.#clock });
    return createManagers({ root, env, runner, recall, project: conversation?.project, dirty });
  }

  /** What others change while an agent only reads is not the agent's. */
  async #findOwn(signal: AbortSignal): Promise<ChangeSet> {
    const changes = await this.findChanges(signal);
    return mayChange(this.#settings.tool_group) ? changes : { ...changes, files: [] };
  }

  async #check(changes: ChangeSet, signal: AbortSignal): Promise<Checks> {
    const onOutput = (text: string) => this.#tell({ type: 'check-output', text });
    const checks = await checkChange(this.#managers, changes, { signal, onOutput });
    this.#tell({ type: 'checks', checks });
    return checks;
  }

  async #review({ session }: AgentSession, changes: ChangeSet, checks: Checks, signal: AbortSignal): Promise<ReviewVerdict> {
    const { conversation, redactor } = this.#options;
    const task = this.#task ?? '';
    const place = { session, managers: this.#managers, root: this.rootDir, conversation };
    const verdict = await reviewChange({ ...place, task, title: titleOf(task, redactor), changes, checks, signal });
    this.#tell({ type: 'review', verdict });
    return verdict;
  }

  async #enter(phase: WorkState['phase']): Promise<void> {
    this.#work.phase = phase;
    this.markChanged();
    this.#tell({ type: 'phase', ...this.#work });
    // Work begins with words: saved when they are in the log, or a resume would go on without them.
    if (phase !== 'working') await this.#save();
  }

  #follow(event: RuntimeEvent): void {
    if (event.type === 'entry-append') this.markChanged();
    if (event.type === 'turn-start' && event.conversationId === this.conversationId) void this.#save();
    if (event.type === 'tool-call') noteFile(this.#managers.contextManager, event.tool, event.input);
    this.#tell({ type: 'runtime', event });
  }

  /** A save that fails is told of by its notice, and the work goes on: the log has it all. */
  async #save(): Promise<void> {
    if (!this.isSaved && this.#session) await this.saveSession();
  }

  /** Who listens does not decide whether the work goes on. */
  #tell(event: CodeAgentEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // Theirs to know.
      }
    }
  }

  #assertIdle(): void {
    if (this.#running || this.#restores > 0) throw this.#busy();
  }

  #busy(): ContinuoError {
    return new ContinuoError('conversation-busy', { id: this.conversationId ?? '' });
  }
}

/** What is called off while it waits for a program or a file ends in the words of those. */
function asCancelled(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted && !isContinuoError(error) ? new ContinuoError('cancelled', {}, { cause: error }) : error;
}
