// save_note: what an agent wants to be found again, kept as a conversation of its own in the project the agent works in. It goes through
// the store's gate like everything else: secrets are masked there.
import * as z from 'zod';
import { cleanName } from '../../recall/context/clean-quote.ts';
import { Refusal, type WriteCall, type WriteTool } from '../server-tool.ts';

const mostCharacters = 20_000;
const longestTitle = 200;
/** Spaces, controls, and what is not drawn at all. */
const nothingSeen = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}]/gu;

const input = z.strictObject({
  text: z.string().min(1).max(mostCharacters).describe('What to keep, understandable without this conversation.'),
  title: z.string().max(longestTitle).optional().describe('A few words it will be recognised by.'),
});

const output = z.object({
  conversation_id: z.string(),
  saved: z.boolean(),
  masked: z.number(),
  remarks: z.array(z.string()).optional(),
});

export const saveNote: WriteTool<z.infer<typeof input>> = {
  kind: 'write',
  name: 'save_note',
  title: 'Save a note for later conversations',
  description:
    'Keep a note in the present project that later conversations, with any agent, will find: a decision and its reason, a fix, a command that works, what is left to do, what the user prefers. It is only added; nothing is changed or overwritten.',
  input,
  output,
  run: save,
};

async function save({ text, title }: z.infer<typeof input>, { host, folder, client, signal }: WriteCall) {
  if (text.replace(nothingSeen, '') === '') throw new Refusal('text holds nothing to keep.');
  const fresh = { agent: client, tags: ['note'] };
  const { store, conversation, remarks } = await host.begin(folder, fresh);
  // From here on it is kept, whoever asked.
  signal.throwIfAborted();
  const { id } = await store.create(conversation);
  const { entries, masked } = await store.append(id, { kind: 'message', role: 'assistant', text, author: { name: client } });
  const saved = entries.length > 0;
  // Out of what was kept: half a secret in a title that was cut before would be recognised by nobody.
  const [kept] = entries;
  if (kept && 'text' in kept) await store.rename(id, nameNote(title, kept.text));
  const said = [
    saved ? `Saved as ${id}. Later searches find it.` : 'The storage policy keeps no text here: nothing was saved.',
    ...(masked > 0 ? [`${masked} ${masked === 1 ? 'secret was' : 'secrets were'} masked.`] : []),
    ...remarks,
  ];
  return { text: said.join('\n'), structured: { conversation_id: id, saved, masked, ...(remarks.length > 0 && { remarks }) } };
}

function nameNote(title: string | undefined, text: string): string {
  const line = (title ?? '').trim() === '' ? (text.trim().split('\n')[0] as string) : (title as string);
  return cleanName(line, title === undefined ? 80 : longestTitle) || 'Note';
}
