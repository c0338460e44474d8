// What the person asked for, in the person's words.
import type { JsonValue } from '../base/json.ts';
import type { Redactor } from '../model/ports/redactor.ts';
import { fromOpenAiMessage, type OpenAiMessage } from '../transcripts/openai/openai-messages.ts';

/** The first words in a conversation; files of other programs may hold them in parts. */
export function firstWords(messages: readonly OpenAiMessage[]): string | undefined {
  const first = messages.find(({ role }) => role === 'user');
  const [entry] = first ? fromOpenAiMessage(first as unknown as JsonValue) : [];
  return entry?.kind === 'message' && entry.text.trim() !== '' ? entry.text : undefined;
}

const longestTitle = 80;

/** The first line, cut; masked before, because half a secret is known by no rule. Empty where nothing was asked for. */
export function titleOf(task: string, redactor: Redactor): string {
  const [line = ''] = redactor.redactText(task.trim()).text.split('\n');
  return [...line].slice(0, longestTitle).join('');
}

/** The task with what was asked for later: who looks at the change has to know all of it. */
export function addWords(task: string | undefined, words: string): string {
  return task === undefined ? words : `${task}\n\n${words}`;
}
