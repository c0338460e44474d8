// A process that saves growing states of one session, each as soon as the one before is durable, and tells of each.
import { childInput, tell } from '../support/child-side.ts';
import { SmallAgent, talk } from './session-restorable-agent.ts';

export interface RestorableChildInput {
  directory: string;
  /** The file it goes on with; none for a new one. */
  file?: string;
  words: string;
  first: number;
  last: number;
}

export interface RestorableChildLine {
  saved?: number;
  path?: string;
  failed?: string;
}

const { directory, file, words, first, last } = childInput<RestorableChildInput>();
const agent = new SmallAgent({ directory });
if (file !== undefined && !(await agent.restoreSession(file))) tell({ failed: agent.lastNotice?.code });
for (let count = first; count <= last; count++) {
  agent.messages = talk(count, words);
  if (await agent.saveSession()) tell({ saved: count, path: agent.sessionFile ?? '' } satisfies RestorableChildLine);
  else tell({ failed: agent.lastNotice?.code ?? 'without a word' } satisfies RestorableChildLine);
}
