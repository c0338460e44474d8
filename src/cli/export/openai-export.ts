// A conversation as messages of OpenAI's chat completions: `{ "messages": [ … ] }`, one to a line. Thinking, labels, events and summaries
// have no place in it.
import { OpenAiMessageList } from '../../transcripts/openai/openai-messages.ts';
import { safeJson } from '../output/safe-json.ts';
import type { ExportSource } from './export-source.ts';

export async function* exportOpenAi({ entries }: ExportSource): AsyncGenerator<string> {
  const list = new OpenAiMessageList();
  for await (const entry of entries) list.push(entry);
  yield `{"messages":[\n${list.messages.map((message) => safeJson(message)).join(',\n')}\n]}\n`;
}
