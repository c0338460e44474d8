// Puts a team together from its file: the store, the snapshots, and who speaks for each member. Models and programs are loaded when
// it is their turn.
import type { TextModel } from '../../model/ports/text-model.ts';
import type { FileSystemStorageService } from '../../snapshot/file-system-storage-service.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { Coordinator } from '../../team/coordinator.ts';
import { createModelSpeaker } from '../../team/members/model-speaker.ts';
import type { Speaker } from '../../team/members/speaker.ts';
import type { AiMember, ModelMember, ProgramMember, Team } from '../../team/team-definition.ts';
import type { Context } from '../context.ts';
import { type OpenHome, openHomeWithKey } from '../open-home.ts';
import { beginHere } from '../recall/begin-here.ts';
import { findHere, gatherHere, type Here } from '../recall/here.ts';
import type { HomeRecall } from '../recall/open-home-recall.ts';
import type { DeployPlan } from './deploy-options.ts';
import { openTeamStorage } from './open-storage.ts';

export interface OpenTeam {
  team: Team;
  store: ConversationStore;
  storage: FileSystemStorageService;
  coordinator: Coordinator;
  around: Surroundings;
  /** The team as this deployment limits it. */
  limit(team: Team): Team;
  /** Saves, stops who speaks, and closes everything that was opened for it. Safe to call again. */
  close(): Promise<void>;
}

/** What whoever opens a team has open already; it stays theirs. */
export interface Surroundings {
  opened: OpenHome;
  here: Here;
}

export async function openTeam(
  context: Context,
  given: Team,
  plan: DeployPlan,
  around?: Surroundings,
  tell: (line: string) => void = (line) => context.output.note(context.style.yellow(line)),
): Promise<OpenTeam> {
  const { opened, here } = around ?? (await openSurroundings(context, plan));
  const { store } = opened;
  const storage = await openTeamStorage(context, opened);
  const speakers = new SpeakerShop(context, opened, plan, here);
  const coordinator: Coordinator = new Coordinator({
    store,
    storage,
    createSpeaker: (member) => speakers.create(member, () => coordinator.conversationId),
    conversation: () =>
      beginHere(context, store, here, { agent: 'continuo', ...(plan.policy && { policy: plan.policy }) }, tell, 'person'),
    owner: 'continuo team',
    ...(plan.wait !== undefined && { waitForWriter: plan.wait }),
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await coordinator.stop();
      await speakers.close();
      if (!around) await store.close();
    })();
    return closing;
  };
  context.cleanups.add(close);
  const limit = (team: Team) => limitRounds(team, plan.maxRounds);
  return { team: limit(given), store, storage, coordinator, around: { opened, here }, limit, close };
}

async function openSurroundings(context: Context, { project }: DeployPlan): Promise<Surroundings> {
  const gathering = gatherHere(context, project);
  const opened = await openHomeWithKey(context, 'write');
  return { opened, here: await findHere(context, opened.store, gathering) };
}

function limitRounds(team: Team, maxRounds: number | undefined): Team {
  return maxRounds === undefined ? team : { ...team, limits: { ...team.limits, maxRounds } };
}

/** The model a member speaks with, by name; `offline` where nothing says which. */
export function modelOf(member: ModelMember, plan: Pick<DeployPlan, 'model'>): string {
  return member.model ?? plan.model ?? 'offline';
}

export async function createMemberModel(
  { env }: Pick<Context, 'env'>,
  member: ModelMember,
  plan: Pick<DeployPlan, 'model' | 'baseUrl'>,
): Promise<TextModel> {
  const { createModel } = await import('../../providers/models/create-model.ts');
  const { maxOutputTokens } = member;
  // The address of the settings belongs to the model of the settings.
  const baseUrl = member.baseUrl ?? (member.model === undefined || member.model === plan.model ? plan.baseUrl : undefined);
  const name = modelOf(member, plan);
  return createModel(name, { keys: env, ...(baseUrl !== undefined && { baseUrl }), ...(maxOutputTokens && { maxOutputTokens }) });
}

export async function createMemberProgram({ env }: Pick<Context, 'env'>, member: ProgramMember, maxCharacters: number) {
  const { createAgentProgram } = await import('../../providers/cli-agents/create-agent-program.ts');
  const { program, path, args, command, resume, output, env: variables, model, timeout } = member;
  const common = { ...(variables && { env: variables }), ...(model !== undefined && { model }) };
  const limits = { milliseconds: timeout, textBytes: maxCharacters * 4 };
  if (program !== 'template') {
    const spec = { program, ...common, ...(path !== undefined && { path }), ...(args && { args }) };
    return createAgentProgram(spec, { env, limits });
  }
  const spec = { name: member.name, command: command ?? [], ...common, ...(resume && { resume }), ...(output && { output }) };
  return createAgentProgram(spec, { env, limits });
}

class SpeakerShop {
  readonly #context: Context;
  readonly #opened: OpenHome;
  readonly #plan: DeployPlan;
  readonly #here: Here;
  #recall: Promise<HomeRecall> | undefined;

  constructor(context: Context, opened: OpenHome, plan: DeployPlan, here: Here) {
    this.#context = context;
    this.#opened = opened;
    this.#plan = plan;
    this.#here = here;
  }

  async create(member: AiMember, conversationId: () => string | undefined): Promise<Speaker> {
    if (member.kind === 'program') {
      const { createProgramSpeaker } = await import('../../team/members/program-speaker.ts');
      const program = await createMemberProgram(this.#context, member, mostCharacters);
      return createProgramSpeaker(program, { cwd: this.#plan.project });
    }
    if (modelOf(member, this.#plan) !== 'offline') {
      return createModelSpeaker(await createMemberModel(this.#context, member, this.#plan));
    }
    const { createOfflineModel } = await import('../../providers/offline/offline-model.ts');
    const recall = await this.#openRecall();
    const find: HomeRecall['find'] = (query) => recall.find({ ...query, ...askedBy(conversationId()) });
    return createModelSpeaker(createOfflineModel({ recall: { find }, hasModelHint: false }), { readsLastWords: true });
  }

  async close(): Promise<void> {
    await (await this.#recall?.catch(() => undefined))?.close();
  }

  #openRecall(): Promise<HomeRecall> {
    this.#recall ??= import('../recall/open-home-recall.ts').then(({ openHomeRecall }) =>
      openHomeRecall(this.#context, this.#opened, this.#here),
    );
    return this.#recall;
  }
}

/** More than any team file allows: the member's own limit is told by the coordinator. */
const mostCharacters = 10_000_000;

function askedBy(id: string | undefined): { except?: never } {
  return id === undefined ? {} : { except: id as never };
}
