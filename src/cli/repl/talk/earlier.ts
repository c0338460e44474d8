// What was said before, as a talk that goes on begins with: the newest entries, long ones shortened. The log has the rest.
import type { JsonObject } from '../../../base/json.ts';
import type { Conversation } from '../../../model/conversation.ts';
import type { Entry } from '../../../model/entry.ts';
import type { ConversationStore } from '../../../store/conversation-store.ts';
import { readMessage } from '../../../team/team-log.ts';
import { summarizeInput } from '../../chat/turn-view.ts';
import type { Context } from '../../context.ts';
import { firstLine, plainLine, plainText } from '../../output/plain-text.ts';
import { memberPaints, type Paint } from '../view/repl-view.ts';
import type { ScreenState } from '../view/screen-state.ts';

const mostEntries = 60;
const mostLines = 24;

export async function showEarlier(
  context: Context,
  store: ConversationStore,
  { id, lastSeq }: Conversation,
  screen: ScreenState,
): Promise<void> {
  const entries = (await store.tail(id, mostEntries)).filter(({ kind }) => kind !== 'event' && kind !== 'thinking');
  const first = entries[0]?.seq ?? 1;
  if (lastSeq > mostEntries && first > 1) screen.say(context.text.repl.earlier(first - 1), { paint: 'dim' });
  const paints = new Map<string, Paint>();
  for (const entry of entries) showEntry(context, entry, screen, paints);
}

function showEntry(context: Context, entry: Entry, screen: ScreenState, paints: Map<string, Paint>): void {
  const { text } = context;
  if (entry.kind === 'message') {
    const said = entry.withheld
      ? text.transcript.withheld(entry.withheld.characters)
      : shorten(context, plainText(entry.text)) || describeRouting(readMessage(entry)?.routing);
    if (entry.role === 'user' && entry.author === undefined) {
      showOwnWords(screen, said);
      return;
    }
    const name = plainLine(
      entry.author?.name ?? (entry.role === 'assistant' ? (entry.model ?? text.repl.answerer) : text.repl.you),
    );
    screen.head({ name, paint: paintFor(name, paints) });
    screen.say(said);
    if (entry.interrupted) screen.say(text.transcript.interrupted, { paint: 'dim' });
  } else if (entry.kind === 'tool-call')
    screen.say(`→ ${plainLine(entry.tool)} ${summarizeInput(entry.input)}`.trimEnd(), { paint: 'dim' });
  else if (entry.kind === 'tool-result') screen.say(`← ${firstLine(entry.text).slice(0, 120)}`, { paint: 'dim' });
  else if (entry.kind === 'summary') screen.say(shorten(context, plainText(entry.text)), { paint: 'dim' });
}

/** Whom the word was given to, for a message that says nothing else. */
export function describeRouting(routing: JsonObject | undefined, nameOf = (id: string) => plainLine(id)): string {
  const next = Array.isArray(routing?.next) ? routing.next.filter((id) => typeof id === 'string') : [];
  return next.length === 0 ? '' : `→ ${next.map((id) => nameOf(id)).join(', ')}`;
}

/** What the person said, set off from what is answered. */
export function showOwnWords(screen: ScreenState, said: string): void {
  screen.say(said, { paint: 'bold', mark: '> ', isApart: true });
}

export function paintFor(name: string, paints: Map<string, Paint>): Paint {
  const known = paints.get(name);
  if (known) return known;
  const paint = memberPaints[paints.size % memberPaints.length] as Paint;
  paints.set(name, paint);
  return paint;
}

export function shorten({ text }: Pick<Context, 'text'>, said: string): string {
  const lines = said.split('\n');
  if (lines.length <= mostLines) return said;
  return [...lines.slice(0, mostLines - 1), text.approval.moreLines(lines.length - mostLines + 1)].join('\n');
}
