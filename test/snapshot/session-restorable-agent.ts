// A small agent that can be saved and restored, as anybody could write one. Only tests use it.
import type { JsonObject } from '../../src/base/json.ts';
import type { EnvelopeUpgrade } from '../../src/snapshot/envelope.ts';
import type { SavedSession } from '../../src/snapshot/saved-session-list.ts';
import type { SessionNotice } from '../../src/snapshot/session-notice.ts';
import { type RestoredFrom, SessionRestorable, type SessionRestorableOptions } from '../../src/snapshot/session-restorable.ts';
import { createRedactor } from '../../src/store/redaction/redactor.ts';

export const redactor = createRedactor();

export type SmallAgentOptions = Omit<SessionRestorableOptions, 'platform' | 'redactor'> & Partial<SessionRestorableOptions>;

export class SmallAgent extends SessionRestorable {
  readonly notices: SessionNotice[] = [];
  model: string;
  messages: JsonObject[] = [];
  toolGroup = 'default';
  startCommit: string | null = null;
  /** Whatever a test wants to have in the state. */
  more: Record<string, unknown> = {};
  /** What the state is restored by, where a test wants something else. */
  takeOver: ((state: JsonObject, from: RestoredFrom) => void | Promise<void>) | undefined;

  constructor(options: SmallAgentOptions) {
    super({
      platform: 'openai',
      redactor,
      modelName: () => this.model,
      ...options,
      report: (notice) => {
        this.notices.push(notice);
        options.report?.(notice);
      },
    });
    this.model = typeof options.modelName === 'string' ? options.modelName : 'gpt-4o';
  }

  /** The codes of everything that was told, in order. */
  get codes(): string[] {
    return this.notices.map(({ code }) => code);
  }

  /** The state as it is now, for comparisons. */
  get state(): JsonObject {
    return this.getSessionState();
  }

  protected getSessionState(): JsonObject {
    return {
      agent_type: 'small_agent',
      tool_group: this.toolGroup,
      model_name: this.model,
      start_commit: this.startCommit,
      messages: this.messages,
      ...(this.more as JsonObject),
    };
  }

  protected setSessionState(state: JsonObject, from: RestoredFrom): void | Promise<void> {
    if (this.takeOver) return this.takeOver(state, from);
    this.assign(state);
  }

  assign(state: JsonObject): void {
    const { agent_type: _type, tool_group, model_name, start_commit, messages, ...more } = state;
    this.toolGroup = tool_group as string;
    this.model = model_name as string;
    this.startCommit = start_commit as string | null;
    this.messages = messages as JsonObject[];
    this.more = more;
  }

  protected getSessionFilePrefix(): string {
    return 'small_agent';
  }

  protected override validateSessionState(state: JsonObject): string | undefined {
    for (const name of ['agent_type', 'tool_group', 'model_name', 'start_commit', 'messages']) {
      if (state[name] === undefined) return `"${name}" is missing`;
    }
    if (typeof state.tool_group !== 'string') return '"tool_group" is not text';
    return undefined;
  }

  protected override get sessionUpgrades(): readonly EnvelopeUpgrade[] {
    return [toSmallAgent];
  }
}

/** Files of before the envelope know messages and a model. */
const toSmallAgent: EnvelopeUpgrade = {
  version: '1.0',
  apply(document) {
    const state = document.state as JsonObject;
    return { ...document, state: { agent_type: 'small_agent', tool_group: 'default', start_commit: null, ...state } };
  },
};

export function talk(count: number, words = 'Find the bug in parser.ts'): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${words}, part ${index}: 修好它。`,
  }));
}

/** What a list says, without what depends on the moment. */
export function listed({ id: _id, savedAt: _at, bytes: _bytes, problem, ...rest }: SavedSession) {
  return { ...rest, problem: problem?.code };
}
