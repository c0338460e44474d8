// What only repeats what was said before, or asks for it: answers of the offline provider, questions that got nothing but such an
// answer, and a bare "go on". Recalled, they would stand before what they ask for, and echo for ever. Every road of recall asks here.
import type { Entry } from '../model/entry.ts';
import { asksToGoOn } from './intent/continue-intent.ts';

/** The offline provider's answers: nothing but quotations. */
export function isQuotation(entry: Entry): boolean {
  return entry.kind === 'message' && entry.model === 'offline';
}

/** The turns among the entries that were answered with quotations. */
export function findQuotedTurns(entries: readonly Entry[]): Set<string> {
  const turns = new Set<string>();
  for (const entry of entries) if (isQuotation(entry) && entry.turnId !== undefined) turns.add(entry.turnId);
  return turns;
}

/** Whether it asks in one of these turns: who only got quotations for it has said nothing yet that is worth one. Statements have. */
export function asksIn(entry: Entry, turns: ReadonlySet<string>): boolean {
  const { turnId } = entry;
  return turnId !== undefined && turns.has(turnId) && mayEcho(entry);
}

/** Asked for something, whoever answered. */
export function mayEcho(entry: Entry): boolean {
  return entry.kind === 'message' && entry.role === 'user' && (asks(entry.text) || orders.test(entry.text) || isBareGoOn(entry));
}

/** "Go on" tells nothing to anybody but who answers it. */
export function isBareGoOn(entry: Entry): boolean {
  return entry.kind === 'message' && entry.role === 'user' && asksToGoOn(entry.text);
}

const asking =
  /[?？]|怎么|什么|多少|哪|谁|如何|是否|吗|为何|^\s*(?:what|which|who|when|where|why|how|can|could|should|is|are|do|does|did)\b/i;
const orders =
  /^\s*(?:please\s+)?(?:tell|show|give|find|search|look up|list|explain|describe|remind|summari[sz]e|repeat|recall)\b|^\s*(?:请|帮我|麻烦)*(?:告诉|解释|说说|讲讲|介绍|查|找|搜|列出|总结|回忆|回顾|看看)/i;

/** Asks for something, also without a question mark. */
export function asks(text: string): boolean {
  return asking.test(text);
}

/** Whoever finds a question or a request wants to know what was answered. A sentence with its stop was answered with "noted" at best. */
export function bringsAnswer(question: string): boolean {
  return asks(question) || orders.test(question) || isShortRequest.test(question);
}

/**
 * Typed as commands are: one short line that ends without a stop, as 导航到沙发 and "fix the login timeout". A short statement looks the
 * same and counts too: an answer too many costs a line, a missing one the find.
 */
const isShortRequest = /^[^\n]{1,80}(?<![.。!！…\s])\s*$/u;
