// The text of a conversation as far as losing it would be a loss: messages, labels, tool calls and their results. Thoughts, summaries
// and events are about that text.
import type { Conversation } from '../../model/conversation.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import { tokenizeText } from '../tokens/tokenize-text.ts';

/** A longer conversation is not compared: it stays. */
const mostCharacters = 2_000_000;
const pageSize = 500;

/** The tokens of each entry in order; undefined in their place, and nothing after it, where not all of the text can be compared. */
export async function* readSaid(store: ConversationStore, { id, policy }: Conversation): AsyncGenerator<string[] | undefined> {
  if (policy.kind !== 'full') return yield undefined;
  let characters = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page = await store.read(id, { after, limit: pageSize });
    for (const entry of page.items) {
      if (entry.withheld) return yield undefined;
      const text = textOf(entry);
      characters += text.length;
      if (characters > mostCharacters) return yield undefined;
      const tokens = tokenizeText(text).trimEnd();
      if (tokens !== '') yield tokens.split(' ');
    }
    after = page.next?.after;
  }
}

function textOf(entry: Entry): string {
  if (entry.kind === 'message' || entry.kind === 'label') return entry.text;
  if (entry.kind === 'tool-call') return `${entry.tool} ${JSON.stringify(entry.input)}`;
  if (entry.kind !== 'tool-result') return '';
  return entry.output === undefined ? entry.text : `${entry.text} ${JSON.stringify(entry.output)}`;
}

const windowLength = 4;
const prime = 0x01000193;

/** A number for every four tokens in a row; one for the whole where there are fewer. */
export function windowHashes(tokens: readonly string[]): Uint32Array {
  const length = Math.min(windowLength, tokens.length);
  const windows = new Uint32Array(tokens.length - length + 1);
  // Of the last tokens, the newest last. A plain loop: this runs over all the text there is.
  let [a, b, c] = [0, 0, 0];
  for (let i = 0; i < tokens.length; i += 1) {
    const d = hashText(tokens[i] as string);
    const hash = Math.imul(Math.imul(Math.imul(Math.imul(length, prime) + a, prime) + b, prime) + c, prime) + d;
    if (i >= length - 1) windows[i - length + 1] = mix(hash);
    [a, b, c] = [b, c, d];
  }
  return windows;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), prime);
  return mix(hash);
}

/** Spreads what differs in a few bits over all of them, so that the smallest numbers are a fair sample. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
