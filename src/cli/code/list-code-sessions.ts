// continuo code sessions: what is saved in a project, newest first. Nothing is opened and nobody is asked.
import { agentType } from '../../code-agent/code-agent-state.ts';
import { savedSessionVersion } from '../../snapshot/saved-session-format.ts';
import { listSavedSessions, type SavedSession } from '../../snapshot/saved-session-list.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { plainLine } from '../output/plain-text.ts';
import { readFolder } from '../recall/read-folder.ts';
import { renderSessions } from './session-table.ts';

export async function listCodeSessions(context: Context, root: string | undefined): Promise<undefined> {
  const { output, text } = context;
  const folder = readFolder(context, root);
  const sessions = await listSavedSessions(folder, { filePrefix: agentType, version: savedSessionVersion, upgrades: [] });
  output.result({ root: folder, sessions: sessions.map((session) => toJson(context, session)) }, () => []);
  if (output.json) return;
  if (sessions.length === 0) output.note(text.code.noneSaved(plainLine(folder)));
  else output.line(...(await renderSessions(context, sessions, 'id')));
}

function toJson({ text }: Context, session: SavedSession): object {
  const { id, path, savedAt, bytes, messages, task, branch, version, isLegacy, problem } = session;
  return {
    ...{ id, path, savedAt, bytes, messages: messages ?? null, task: task ?? null, branch: branch ?? null },
    version: version ?? null,
    legacy: isLegacy,
    problem: problem ? { code: problem.code, message: describeError(problem, text) } : null,
  };
}
