// A process in which a code agent works, to be killed: it tells every step it takes, and waits for ever where its script says so.
import type { ScriptedAnswer, ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { childInput, tell } from '../support/child-side.ts';
import { openSubject } from '../support/store-subjects.ts';
import { createAgent } from '../support/test-agent.ts';

export interface AgentChildInput {
  root: string;
  /** The store's folder. */
  folder: string;
  script: (ScriptedAnswer | 'wait')[];
  /** The words of a new task; without them the newest session of the folder is restored. */
  task?: string;
}

export type AgentChildLine =
  | { tells: 'waiting' }
  | { tells: 'restored'; restored: boolean; notices: string[]; messages: unknown; root: string }
  | { tells: 'report'; outcome: string; checks: string | undefined; changed: string[]; prompt: ScriptedRequest['prompt'] };

const { root, folder, script, task } = childInput<AgentChildInput>();
const store = await openSubject('jsonl', folder);
const wait = () => new Promise<void>(() => setInterval(() => undefined, 60_000));
const made = await createAgent(
  root,
  (_, step) => {
    const answer = script[step];
    if (answer === 'wait') tell({ tells: 'waiting' } satisfies AgentChildLine);
    return answer === undefined || answer === 'wait' ? { before: wait, text: 'never' } : answer;
  },
  { store },
);
const { agent, notices, model } = made;
if (task === undefined) {
  const restored = await agent.restoreSession();
  const codes = notices.map(({ code }) => code);
  tell({ tells: 'restored', restored, notices: codes, messages: agent.messages, root: agent.rootDir } satisfies AgentChildLine);
}
const { outcome, checks, changes } = await agent.run(task);
const changed = changes.files.map(({ path }) => path);
const prompt = model.requests[0]?.prompt ?? [];
tell({ tells: 'report', outcome, checks: checks?.outcome, changed, prompt } satisfies AgentChildLine);
await agent.close();
await store.close();
