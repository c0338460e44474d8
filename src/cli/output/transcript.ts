// Entries as people read them: who, when, and what was said; tools in one line each unless everything is asked for. Events are the
// machinery's own notes, a dim line each, and shown only where everything is.
import type { Draft, Entry, NewEntry } from '../../model/entry.ts';
import type { Context } from '../context.ts';
import { formatMoment } from './moment.ts';
import { plainLine, plainText } from './plain-text.ts';
import type { Paint } from './style.ts';

const compactLength = 160;

export interface TranscriptOptions {
  /** Tool inputs, tool results and thoughts as they are, instead of one line each; and events. */
  full: boolean;
}

/** Whether people see the entry at all. */
export function isShown({ kind }: Pick<Entry, 'kind'>, { full }: TranscriptOptions): boolean {
  return full || kind !== 'event';
}

/** The lines of one entry, with an empty one behind. */
export function renderEntry(context: Context, entry: Entry, options: TranscriptOptions): string[] {
  return render(context, entry, `[${entry.seq}]`, options);
}

/** What there is of an answer: it has no position yet, and nobody can tell whether there will be more. */
export function renderDraft(context: Context, draft: Draft, options: TranscriptOptions): string[] {
  const { interrupted: _cutOff, ...words } = draft as Draft & { interrupted?: boolean };
  const lines = render(context, words as Draft, '[…]', options);
  return [...lines.slice(0, -1), context.style.yellow(context.text.transcript.draft), ''];
}

type Said = NewEntry & Pick<Entry, 'at' | 'masked' | 'withheld'>;

function render({ style, text }: Context, entry: Said, place: string, options: TranscriptOptions): string[] {
  const words = text.transcript;
  const heading = (who: string, paint: Paint, ...more: string[]) => {
    const rest = [...more, formatMoment(entry.at)].map((part) => style.dim(` · ${part}`)).join('');
    return `${style.dim(place)} ${paint(who)}${rest}`;
  };
  const body = (said: string) => [
    ...(entry.withheld ? [style.dim(words.withheld(entry.withheld.characters))] : [plainText(said)]),
    ...remarks(),
    '',
  ];
  const remarks = () => [
    ...(entry.masked === undefined ? [] : [style.dim(words.masked(entry.masked))]),
    ...(entry.kind === 'message' && entry.interrupted ? [style.dim(words.interrupted)] : []),
  ];
  const brief = (said: string) => body(options.full ? said : compact(said));

  if (entry.kind === 'message') {
    const more = [entry.author?.name, entry.model].filter((part) => part !== undefined).map(plainLine);
    return [heading(words.roles[entry.role], paintOf(style, entry.role), ...more), ...body(entry.text)];
  }
  if (entry.kind === 'tool-call') {
    const input = options.full ? JSON.stringify(entry.input, null, 2) : JSON.stringify(entry.input);
    return [heading(`→ ${plainLine(entry.tool)}`, style.magenta), ...brief(input)];
  }
  if (entry.kind === 'tool-result') {
    const name = `← ${plainLine(entry.tool ?? entry.callId)}`;
    return [
      heading(name, entry.failed ? style.red : style.magenta, ...(entry.failed ? [words.failed] : [])),
      ...brief(entry.text),
    ];
  }
  if (entry.kind === 'thinking') return [heading(words.thinking, style.dim), ...brief(entry.text)];
  if (entry.kind === 'summary')
    return [heading(words.summary(entry.covers.from, entry.covers.to), style.blue), ...body(entry.text)];
  if (entry.kind === 'event')
    return [style.dim(`${place} ${describeEvent(entry)} · ${formatMoment(entry.at)}`), ...remarks(), ''];
  return [heading(`${words.label} ${plainLine(entry.name)}`, style.blue), ...body(entry.text)];
}

/** Its name, how it came out, its figures and its words, in one line. */
function describeEvent({ name, code, counts = {}, text }: NewEntry & { kind: 'event' }): string {
  const figures = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  return [name, code ?? '', ...figures, compact(text)]
    .filter((part) => part !== '')
    .map(plainLine)
    .join(' · ');
}

function paintOf(style: Context['style'], role: 'user' | 'assistant' | 'system'): Paint {
  const paints = { user: style.cyan, assistant: style.green, system: style.yellow };
  return (text) => style.bold(paints[role](text));
}

function compact(text: string): string {
  const line = plainLine(text.slice(0, compactLength * 4));
  return line.length > compactLength || text.length > compactLength * 4 ? `${line.slice(0, compactLength)}…` : line;
}
