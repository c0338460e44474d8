// Puts a coding agent together from what was asked for: the store, the model, commands in bounds, recall, permission, and how its
// saves and restores are told. Everything heavy is loaded here.
import type { CodeAgent } from '../../code-agent/code-agent.ts';
import { ContinuoError } from '../../model/error.ts';
import type { TextModel } from '../../model/ports/text-model.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { SavedSession } from '../../snapshot/saved-session-list.ts';
import { askApproval } from '../chat/ask-approval.ts';
import { createCommands } from '../chat/create-commands.ts';
import { warnOfExactRules } from '../chat/exact-rules.ts';
import type { Context } from '../context.ts';
import { openHomeWithKey } from '../open-home.ts';
import { beginHere } from '../recall/begin-here.ts';
import { findHere, gatherHere } from '../recall/here.ts';
import { openHomeRecall } from '../recall/open-home-recall.ts';
import { secretValues } from '../secret-environment.ts';
import type { CodePlan } from './code-options.ts';
import { CodeView } from './code-view.ts';
import { pickSession } from './pick-session.ts';
import { NoticeDesk } from './session-notices.ts';
import { SessionProgress } from './session-progress.ts';

export interface OpenCode {
  agent: CodeAgent;
  view: CodeView;
  notices: NoticeDesk;
  /** Brings a saved session back. Throws why it cannot; false where the person chose none. */
  restore(source: string | undefined): Promise<boolean>;
  /** Saves, and closes everything that was opened for it. */
  close(): Promise<void>;
}

export async function openCode(context: Context, plan: CodePlan): Promise<OpenCode> {
  const models = new ModelShop(context, plan);
  // What is wrong with the model is said before anything is opened.
  const model = await models.begin();
  const gathering = gatherHere(context, plan.root);
  const opened = await openHomeWithKey(context, 'write');
  const { store } = opened;
  const here = await findHere(context, store, gathering);
  const { CodeAgent } = await import('../../code-agent/code-agent.ts');
  const { createRedactor } = await import('../../store/redaction/redactor.ts');
  const recall = context.config()['recall.enabled'].value === false ? undefined : await openHomeRecall(context, opened, here);
  const commands = await createCommands(context, { folder: () => agent.rootDir, network: plan.network });
  warnOfExactRules(context, plan.allow);
  const inputs = new Map<string, Parameters<typeof askApproval>[2]>();
  const view = new CodeView(context, (event) => event.conversationId === agent.conversationId);
  const notices = new NoticeDesk(
    context,
    (line) => view.line(line),
    ({ code }) => code === 'code-model-other' && (plan.isModelNamed || plan.model === undefined),
  );
  const progress = await SessionProgress.create(context, () => view.watch.isAtLineStart);
  view.beforeLine = () => progress.clear();
  const tell = (line: string) => view.line(context.style.dim(line));
  const ask = (question: ApprovalQuestion): Promise<ApprovalAnswer> => {
    progress.clear();
    view.watch.finish();
    return askApproval(context, question, inputs.get(question.callId));
  };
  let stopped: unknown;
  const pick = async (sessions: SavedSession[]) => {
    try {
      return await pickSession(context, sessions);
    } catch (error) {
      stopped = error;
      return undefined;
    }
  };
  const agent: CodeAgent = new CodeAgent({
    store,
    model,
    rootDir: plan.root,
    isRootNamed: plan.isRootNamed,
    env: context.env,
    commands: commands.runner,
    ...(recall && { recall }),
    approvals: {
      allow: plan.allow,
      deny: plan.deny,
      mode: plan.asksPermission ? 'ask' : 'deny',
      ...(plan.asksPermission && { ask }),
    },
    conversation:
      plan.resume === undefined
        ? await beginHere(context, store, here, {}, tell, 'person')
        : { project: here.key, meta: { place: here.place } },
    disableReview: !plan.review,
    ...(plan.maxReview !== undefined && { reviewMaxIterations: plan.maxReview }),
    ...(plan.toolGroup !== undefined && { toolGroup: plan.toolGroup }),
    nonInteractive: plan.nonInteractive,
    findModel: (name) => models.find(name),
    redactor: createRedactor(),
    secretValues: secretValues(context.env),
    report: (notice) => notices.take(notice),
    interactive: plan.canAsk,
    pick,
    progress: (done, total) => progress.tell(done, total),
  });
  agent.listen((event) => {
    if (event.type === 'runtime' && event.event.type === 'tool-call') inputs.set(event.event.callId, event.event.input);
    if (event.type === 'runtime' && event.event.type === 'tool-result') inputs.delete(event.event.callId);
    view.show(event);
  });
  return {
    agent,
    view,
    notices,
    async restore(source) {
      notices.isRestoring = true;
      progress.isRestoring = true;
      try {
        const isRestored = await agent.restoreSession(source);
        if (stopped !== undefined) throw stopped;
        if (isRestored) models.requireReal(agent.model);
        return isRestored;
      } finally {
        notices.isRestoring = false;
        progress.isRestoring = false;
        progress.clear();
      }
    },
    async close() {
      await agent.close();
      progress.clear();
      await recall?.close();
      await store.close();
    },
  };
}

/** Who works: what was named, else what the settings say; for a saved session that names another one, that one where it can be had. */
class ModelShop {
  readonly #context: Context;
  readonly #plan: CodePlan;
  #reason: unknown;

  constructor(context: Context, plan: CodePlan) {
    this.#context = context;
    this.#plan = plan;
  }

  async begin(): Promise<TextModel> {
    const { model, baseUrl } = this.#plan;
    return model === undefined ? nobody : this.#create(model, baseUrl);
  }

  async find(name: string): Promise<TextModel | undefined> {
    const { model, baseUrl, isModelNamed } = this.#plan;
    if (isModelNamed) return undefined;
    // The address of the settings belongs to the provider of the settings.
    const isSameProvider = model === undefined || model.split(':')[0] === name.split(':')[0];
    try {
      return await this.#create(name, isSameProvider ? baseUrl : undefined);
    } catch (error) {
      this.#reason = error;
      return undefined;
    }
  }

  requireReal(model: TextModel): void {
    if (model === nobody) throw this.#reason ?? new ContinuoError('model-not-set');
  }

  async #create(name: string, baseUrl: string | undefined): Promise<TextModel> {
    const { createModel } = await import('../../providers/models/create-model.ts');
    return createModel(name, { keys: this.#context.env, ...(baseUrl !== undefined && { baseUrl }) });
  }
}

/** Until a saved session names one. */
const nobody: TextModel = {
  id: 'none:none',
  stream: () => {
    throw new ContinuoError('model-not-set');
  },
};
