// Puts a session together from what was asked for: the model, the tools with their sandbox, MCP servers, approvals. Everything heavy
// is loaded here, when somebody talks.
import { readFile } from 'node:fs/promises';
import type { JsonValue } from '../../base/json.ts';
import { ContinuoError } from '../../model/error.ts';
import type { ConversationId } from '../../model/id.ts';
import type { Recall } from '../../model/ports/recall.ts';
import type { TextModel } from '../../model/ports/text-model.ts';
import type { Tool } from '../../model/ports/tool.ts';
import type { ContextSource } from '../../recall/context/context-source.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { OpenOptions, Session } from '../../runtime/session.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { toStoreError } from '../../store/io-fault.ts';
import type { CommandRunner } from '../../tools/builtin/run-command.ts';
import type { McpServerConfig } from '../../tools/mcp/mcp-config.ts';
import type { McpConnectionPool } from '../../tools/mcp/mcp-pool.ts';
import type { Context } from '../context.ts';
import type { OpenHome } from '../open-home.ts';
import { beginHere } from '../recall/begin-here.ts';
import { ChatRecall } from '../recall/chat-recall.ts';
import type { Here } from '../recall/here.ts';
import { type HomeRecall, openHomeRecall } from '../recall/open-home-recall.ts';
import { describeSource } from '../recall/prepare-here.ts';
import { definedOnly } from '../secret-environment.ts';
import type { ChatPlan } from './chat-options.ts';
import { createSummariser, createSummaryKeeper, followTurns } from './chat-summaries.ts';
import { createCommands, type SandboxFacts } from './create-commands.ts';
import { warnOfExactRules } from './exact-rules.ts';
import { tellNotices } from './notices.ts';
import { OpenCalls } from './open-calls.ts';

/** Shorter than what an interrupted program may take to end. */
const closeTimeout = 2000;

export interface ChatParts {
  session: Session;
  model: TextModel;
  isOffline: boolean;
  /** Finds in the home from here. Closed with the rest. */
  recall: HomeRecall;
  /** The earlier conversations that were quoted to the model, newest turn last. */
  recalled: ContextSource[];
  /** Undefined where there are no tools. */
  sandbox: SandboxFacts | undefined;
  /** Does what is due after the turns so far, and waits for it until the signal. */
  settle(signal: AbortSignal): Promise<void>;
  /** Ends the session: a turn that runs is cancelled and what it said is saved. */
  close(): Promise<void>;
}

export interface ChatPartsOptions {
  root: OpenOptions;
  here: Here;
  /** Shows a line beside what is said. */
  tell: (line: string) => void;
  /** `input` is what the call was given. */
  ask?: (question: ApprovalQuestion, input: JsonValue | undefined) => Promise<ApprovalAnswer>;
}

export async function createChat(
  context: Context,
  opened: OpenHome,
  plan: ChatPlan,
  { root, here, tell, ask }: ChatPartsOptions,
): Promise<ChatParts> {
  const config = context.config();
  const { store } = opened;
  const found = await openHomeRecall(context, opened, here);
  const current = () => session?.conversations[0]?.id;
  const recall: Recall = { find: (query) => found.find({ ...askedBy(current()), ...query }) };
  const recalled: ContextSource[] = [];
  const chatRecall = new ChatRecall(context, {
    store,
    recall: found,
    here,
    current,
    onRecalled: async ({ sources }) => {
      recalled.push(...sources);
      await tellSources(context, store, sources, tell);
    },
    onProblem: (reason) => tell(context.text.recall.failed(reason)),
  });
  const answering = await createAnswering(context, plan);
  const model = await createAnswerer(answering, plan, chatRecall);
  const summarise = await createSummariser(context, answering);
  const keeper = await createSummaryKeeper(context, store, summarise, tell);
  const isOffline = plan.model === undefined;
  // Who only quotes what is stored calls no tools.
  const usesTools = plan.tools && !isOffline;
  const commands = usesTools ? await createCommands(context, { folder: () => plan.project, network: plan.network }) : undefined;
  const tools = commands ? await createTools(plan, commands.runner, plan.recall ? recall : undefined) : [];
  const servers = usesTools && plan.mcpConfig !== undefined ? await readServers(context, plan.mcpConfig) : [];
  const mcpPool = servers.length > 0 ? await createPool(context, plan.project) : undefined;
  if (usesTools) warnOfExactRules(context, plan.allow);
  const { Session } = await import('../../runtime/session.ts');
  const calls = new OpenCalls();
  const { create } = root;
  // What a folder needs is done when something is said in it, not when it was looked into.
  const begun =
    typeof create === 'object' ? { ...root, create: () => beginHere(context, store, here, create, tell, 'person') } : root;
  const session: Session = Session.create({
    store,
    model,
    tools,
    root: { ...begun, ...(plan.wait !== undefined && { waitForWriter: plan.wait }) },
    owner: 'continuo chat',
    closeTimeout,
    history: { maxItems: config['chat.max_items'].value ?? 2000, maxTokens: config['chat.max_tokens'].value ?? 120_000 },
    instructions: buildInstructions(plan, config['chat.instructions'].value),
    approvals: {
      allow: plan.allow,
      deny: plan.deny,
      mode: ask ? 'ask' : 'deny',
      ...(ask && { ask: (question) => ask(question, calls.inputOf(question.callId)) }),
    },
    ...(summarise && { summarise }),
    // Servers choose their names without knowing of each other or of our own tools.
    ...(mcpPool && { mcpPool, mcp: { servers, naming: 'qualified' } }),
  });
  calls.follow(session);
  followTurns(session, keeper);
  const stopNotices = await tellNotices(context, session);
  const close = async () => {
    await session.close();
    await stopNotices();
    await keeper.close({ isTalk: !plan.isScript });
    await found.close();
  };
  // Scripts leave the index to the next search; a talk has it follow.
  if (!plan.isScript) found.engine?.start();
  const settle = (signal: AbortSignal) => keeper.settle(signal);
  return { session, model, isOffline, recall: found, recalled, sandbox: commands?.sandbox, settle, close };
}

function askedBy(id: ConversationId | undefined): { except?: ConversationId } {
  return id === undefined ? {} : { except: id };
}

async function tellSources(
  context: Context,
  store: ConversationStore,
  sources: readonly ContextSource[],
  tell: (line: string) => void,
): Promise<void> {
  const names = await Promise.all(sources.map((source) => describeSource(context, store, source)));
  tell(context.text.recall.from(names.join(context.text.recall.between)));
}

/** The model that was asked for, as it is; undefined where answers come offline. */
async function createAnswering({ env }: Context, plan: ChatPlan): Promise<TextModel | undefined> {
  if (plan.model === undefined) return undefined;
  const { createModel } = await import('../../providers/models/create-model.ts');
  return createModel(plan.model, { keys: env, ...(plan.baseUrl !== undefined && { baseUrl: plan.baseUrl }) });
}

async function createAnswerer(model: TextModel | undefined, plan: ChatPlan, recall: ChatRecall): Promise<TextModel> {
  if (!model) {
    const { createOfflineModel } = await import('../../providers/offline/offline-model.ts');
    // At a terminal the first line has said it already.
    const hasModelHint = plan.isScript;
    if (!plan.recall) return createOfflineModel({ recall: undefined, hasModelHint });
    return recall.wrapOffline((found, isResolved) => createOfflineModel({ recall: found, isResolved, hasModelHint }));
  }
  return plan.recall ? recall.wrap(model) : model;
}

async function createTools({ project }: ChatPlan, runCommand: CommandRunner, recall: Recall | undefined): Promise<Tool[]> {
  const { createBuiltinTools } = await import('../../tools/builtin/builtin-tools.ts');
  return createBuiltinTools({ root: project, runCommand, ...(recall && { recall }) });
}

/** The servers a file names. */
export async function readServers({ env }: Pick<Context, 'env'>, path: string): Promise<McpServerConfig[]> {
  const { parseMcpConfig } = await import('../../tools/mcp/mcp-config.ts');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ContinuoError('mcp-config-invalid', { path, reason: 'there is no such file' }, { cause: error });
    throw toStoreError(error, path);
  }
  return parseMcpConfig(path, text, definedOnly(env));
}

export async function createPool({ env }: Context, directory: string): Promise<McpConnectionPool> {
  const { McpConnectionPool } = await import('../../tools/mcp/mcp-pool.ts');
  const { selectSafeEnvironment } = await import('../../tools/mcp/safe-environment.ts');
  return new McpConnectionPool({ environment: selectSafeEnvironment(env), directory });
}

function buildInstructions({ project, tools }: ChatPlan, own: string | undefined): string {
  const work = `You work in the folder ${project}. Tools that need permission ask the person by themselves.`;
  return [tools ? work : undefined, own].filter((part) => part !== undefined).join('\n\n');
}
