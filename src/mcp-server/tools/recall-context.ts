// recall_context: what earlier conversations say about a request, in one section of bounded length, ready to be read.
import * as z from 'zod';
import { cleanName } from '../../recall/context/clean-quote.ts';
import type { ContextSource } from '../../recall/context/context-source.ts';
import { type ContextReason, prepareContext } from '../../recall/context/prepare-context.ts';
import { type Call, notice, type ReadTool } from '../server-tool.ts';
import { formatTime } from '../shown-conversation.ts';

const mostTokens = 8000;

const input = z.strictObject({
  request: z
    .string()
    .min(1)
    .max(8000)
    .describe('The task or question at hand in the words of the user, or "continue" to go on with the newest work.'),
  max_tokens: z.int().min(100).max(mostTokens).optional().describe('Tokens the answer may cost; about 1500 if left out.'),
});

const output = z.object({
  notice: z.string(),
  section: z.string().describe('The quoted history; empty where there is none.'),
  why: z.string(),
  sources: z.array(
    z.object({
      conversation_id: z.string(),
      title: z.string().optional(),
      project: z.string().optional(),
      project_name: z.string().optional(),
      at: z.string(),
    }),
  ),
});

export const recallContext: ReadTool<z.infer<typeof input>> = {
  kind: 'read',
  name: 'recall_context',
  title: 'Recall what is known about a task',
  description:
    'Get what past conversations already say about the task at hand, as one short quoted section with its sources: earlier decisions, fixes, open work, preferences. Call it once at the start of a task, and when the user says "continue", "as last time" or "what we did before".',
  input,
  output,
  run: recall,
};

async function recall({ request, max_tokens }: z.infer<typeof input>, call: Call) {
  const { outlook, own, signal } = call;
  const { section, why, sources } = await prepareContext({
    store: outlook.store,
    recall: outlook.recall,
    now: outlook.now,
    asked: request,
    ...outlook.settings,
    ...(max_tokens !== undefined && { tokenBudget: max_tokens }),
    offsetMinutes: outlook.offsetMinutes,
    present: [],
    hereProject: outlook.here.key,
    privateProjects: outlook.hidden,
    ...own.query,
    signal,
  });
  const structured = { notice, section, why, sources: sources.map(toStructured) };
  return { text: section === '' ? whyNothing(outlook.isAbsent ? 'nothing-said' : why) : section, structured };
}

function toStructured({ conversationId, title, project, projectName, at }: ContextSource) {
  return {
    conversation_id: conversationId,
    ...(title !== undefined && { title: cleanName(title, 200) }),
    ...(project !== undefined && { project: cleanName(project, 1000) }),
    ...(projectName !== undefined && { project_name: cleanName(projectName) }),
    at: formatTime(at),
  };
}

function whyNothing(why: ContextReason): string {
  if (why === 'nothing-said') return 'Nothing is recalled: no earlier conversation may be seen from here.';
  if (why === 'nothing-then') return 'Nothing is recalled: nothing was said at that time.';
  if (why === 'nothing-asked') return 'Nothing is recalled: the request names nothing that could be looked for.';
  if (why === 'does-not-fit') return 'Something was found, but none of it fits. Ask with more max_tokens.';
  return 'Nothing is recalled: no earlier conversation is about this.';
}
