// A run of entries that a history keeps or drops as one.
import { estimateTokens } from '../../base/token-estimate.ts';
import type { PromptItem } from '../../model/ports/text-model.ts';

/** Only the newest segment of a history still grows. */
export interface HistorySegment {
  readonly items: PromptItem[];
  tokens: number;
  /** The positions it holds in the log; 0 where nothing of it was stored. */
  firstSeq: number;
  lastSeq: number;
}

/** What an entry costs beside its text: role, separators, ids. */
const tokensPerItem = 4;

export function tokensOf(item: PromptItem): number {
  return tokensPerItem + estimateTokens(item.kind === 'tool-call' ? JSON.stringify(item.input) : item.text);
}
