// What a conversation loses on its way into another agent, in one line.
import type { Context } from '../context.ts';

export function lostLine({ text, style }: Pick<Context, 'text' | 'style'>, lost: Readonly<Record<string, number>>): string[] {
  const words = text.handoff;
  const parts = Object.entries(lost).map(([kind, count]) => `${words.kinds[kind] ?? kind} (${count})`);
  return parts.length === 0 ? [] : [style.yellow(words.lost(parts.join(words.between)))];
}
