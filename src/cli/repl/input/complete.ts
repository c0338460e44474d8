// What Tab makes of what stands before the cursor: slash commands and their words at the beginning of a line, members by name
// everywhere. `@name` becomes the marker that gives a member the word.
import type { MemberView, Offer } from '../view/repl-view.ts';

export interface Completions {
  /** So many characters before the cursor are replaced. */
  length: number;
  offers: readonly Offer[];
}

export interface CompletionSources {
  /** What the end of a line with a command could become; undefined where the line is none. */
  slash(line: string): Promise<{ start: number; choices: readonly string[] } | undefined>;
  /** A few words about a command. */
  describe(command: string): string;
  members: readonly MemberView[];
}

export async function complete(before: string, sources: CompletionSources): Promise<Completions | undefined> {
  const found = before.startsWith('/') ? await sources.slash(before) : undefined;
  if (!found) return completeMember(before, sources.members);
  const offers = found.choices.map((text) => ({ text, about: found.start === 0 ? sources.describe(text) : '' }));
  return offer(before.slice(found.start), offers);
}

/** The longest beginning that all offers share. */
export function sharedStart(offers: readonly Offer[]): string {
  const [first = '', ...others] = offers.map(({ text }) => text);
  let length = first.length;
  for (const other of others) while (!other.toLowerCase().startsWith(first.slice(0, length).toLowerCase())) length -= 1;
  return first.slice(0, length);
}

function completeMember(before: string, members: readonly MemberView[]): Completions | undefined {
  const marker = /\[NEXT:\s*(?:[^\]]*,\s*)?([^\],]*)$/i.exec(before);
  if (marker)
    return offer(
      marker[1] as string,
      named(members, marker[1] as string).map(({ name }) => ({ text: name, about: '' })),
    );
  const [, mention] = /(?:^|\s)(@\S*)$/u.exec(before) ?? [];
  if (mention !== undefined)
    return offer(
      mention,
      named(members, mention.slice(1)).map(({ name }) => ({ text: `[NEXT: ${name}] `, about: name })),
    );
  const [, word = ''] = /(?:^|\s)(\S+)$/u.exec(before) ?? [];
  return word === ''
    ? undefined
    : offer(
        word,
        named(members, word).map(({ name }) => ({ text: name, about: '' })),
      );
}

function named(members: readonly MemberView[], start: string): MemberView[] {
  const wanted = start.toLowerCase();
  return members.filter(({ name, id }) => name.toLowerCase().startsWith(wanted) || id.toLowerCase().startsWith(wanted));
}

function offer(replaced: string, offers: readonly Offer[]): Completions | undefined {
  return offers.length === 0 ? undefined : { length: replaced.length, offers };
}
