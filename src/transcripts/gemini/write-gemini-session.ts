// Writes a conversation as a session Gemini CLI can resume. An answer is a message with thoughts, words and calls, in that order; its results
// are beside its calls. The folder of a project that is new to Gemini CLI gets its mark, by which it is found.
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createFileAtomically, makePrivateFolder } from '../../base/private-files.ts';
import { toStoreError } from '../../store/io-fault.ts';
import { isFields } from '../fields.ts';
import { type AnswerPart, type OutgoingAnswer, type OutgoingResult, OutgoingTurns } from '../outgoing-turns.ts';
import type { OutgoingSession, WriteTarget, WrittenTranscript } from '../transcript-format.ts';
import { writeSessionFile } from '../write-session-file.ts';
import { acknowledgement } from './gemini-messages.ts';
import { hashProject, nameProjectFolder, projectRootFile } from './gemini-project.ts';

const shortId = 8;

/** `root` is the folder `tmp`. */
export async function writeGeminiSession(
  session: OutgoingSession,
  { root, id = randomUUID() }: WriteTarget,
): Promise<WrittenTranscript> {
  const { cwd, createdAt } = session;
  const folder = join(root, await nameProjectFolder(root, cwd));
  await markFolder(folder, cwd);
  const minute = toIso(createdAt).slice(0, 16).replace(':', '-');
  const path = join(folder, 'chats', `session-${minute}-${id.slice(0, shortId)}.jsonl`);
  const turns = new OutgoingTurns(session);
  await writeSessionFile(path, records(session, id, turns));
  return { id, files: [path], entries: turns.entries, lost: turns.lost.counts };
}

async function markFolder(folder: string, cwd: string): Promise<void> {
  const path = join(folder, projectRootFile);
  try {
    await makePrivateFolder(folder);
    await createFileAtomically(path, cwd);
  } catch (error) {
    throw toStoreError(error, path);
  }
}

async function* records(session: OutgoingSession, sessionId: string, turns: OutgoingTurns): AsyncGenerator<object> {
  const { cwd, createdAt, title, model } = session;
  const startTime = toIso(createdAt);
  // Now, whenever it was said: sessions that were not touched for a month are deleted at the next start.
  const lastUpdated = toIso(Date.now());
  yield { sessionId, projectHash: hashProject(cwd), startTime, lastUpdated, kind: 'main' };
  if (title !== undefined) yield { $set: { summary: title } };
  let answer: OutgoingAnswer | undefined;
  for await (const turn of turns.turns()) {
    if (turn.type === 'results') {
      if (answer) yield* answerMessages(answer, turn.results, model);
      answer = undefined;
      continue;
    }
    if (answer) yield* answerMessages(answer, [], model);
    answer = undefined;
    if (turn.type === 'answer') answer = turn;
    else if (turn.type === 'user') yield userMessage(turn.at, turn.text);
    else yield { $set: { messages: summaryMessages(turn.at, turn.text) } };
  }
  if (answer) yield* answerMessages(answer, [], model);
}

function userMessage(at: number, text: string): object {
  return { id: randomUUID(), timestamp: toIso(at), type: 'user', content: [{ text }] };
}

/** What the program goes on with after it has compressed a conversation: nothing of what was before. */
function summaryMessages(at: number, text: string): object[] {
  const content = [{ text: acknowledgement }];
  return [
    userMessage(at, `<state_snapshot>\n${text}\n</state_snapshot>`),
    { id: randomUUID(), timestamp: toIso(at), type: 'gemini', content },
  ];
}

/** One message, or more where the parts are in another order than a message has them. */
function* answerMessages(
  answer: OutgoingAnswer,
  results: readonly OutgoingResult[],
  model: string | undefined,
): Generator<object> {
  let group: AnswerPart[] = [];
  let tokens = answer.usage;
  const end = () => {
    const message = answerMessage(group, results, { model: answer.model ?? model, tokens });
    group = [];
    tokens = undefined;
    return message;
  };
  for (const part of answer.parts) {
    if (group.some((earlier) => rank(earlier) > rank(part) || (part.kind === 'message' && earlier.kind === 'message')))
      yield end();
    group.push(part);
  }
  yield end();
}

function rank({ kind }: AnswerPart): number {
  return kind === 'thinking' ? 0 : kind === 'message' ? 1 : 2;
}

interface AnswerFacts {
  model: string | undefined;
  tokens: OutgoingAnswer['usage'];
}

function answerMessage(parts: readonly AnswerPart[], results: readonly OutgoingResult[], facts: AnswerFacts): object {
  const { model = 'unknown', tokens } = facts;
  const thoughts = parts.flatMap((part) => (part.kind === 'thinking' ? [formatThought(part.text, part.at)] : []));
  const toolCalls = parts.flatMap((part) =>
    part.kind === 'tool-call' ? [formatCall(part, results.find(({ callId }) => callId === part.callId) as OutgoingResult)] : [],
  );
  // Thoughts have moments of their own.
  const at = (parts.find(({ kind }) => kind !== 'thinking') ?? parts[0])?.at ?? 0;
  const content = parts.find((part) => part.kind === 'message')?.text ?? '';
  const message = {
    id: randomUUID(),
    timestamp: toIso(at),
    type: 'gemini',
    content,
    thoughts,
    tokens: formatTokens(tokens),
    model,
  };
  return toolCalls.length > 0 ? { ...message, toolCalls } : message;
}

function formatThought(text: string, at: number): object {
  const [, subject = '', description = text] = /^\*\*([^*\n]+)\*\* ([\s\S]*)$/.exec(text) ?? [];
  return { subject, description, timestamp: toIso(at) };
}

function formatCall({ callId, tool, input }: Extract<AnswerPart, { kind: 'tool-call' }>, result: OutgoingResult): object {
  const response = result.failed ? { error: result.text } : { output: result.text };
  // Names of functions are short and plain for the model.
  const name = nameFunction(tool);
  return {
    id: callId,
    name,
    args: isFields(input) ? input : { input },
    result: [{ functionResponse: { id: callId, name, response } }],
    status: result.failed ? 'error' : 'success',
    timestamp: toIso(result.at),
    resultDisplay: result.text,
    displayName: tool,
    description: '',
  };
}

function nameFunction(tool: string): string {
  const name = tool.replace(/[^A-Za-z0-9_.:-]/g, '_').replace(/^[^A-Za-z_]/, '_');
  if (name.length <= 64) return name || 'tool';
  return `${name.slice(0, 55)}_${createHash('sha256').update(tool).digest('hex').slice(0, 8)}`;
}

function formatTokens(usage: OutgoingAnswer['usage']): object | null {
  if (!usage) return null;
  const { inputTokens: input, outputTokens: output, cachedTokens: cached } = usage;
  return { input, output, cached, thoughts: 0, tool: 0, total: input + output };
}

function toIso(moment: number): string {
  return new Date(moment).toISOString();
}
