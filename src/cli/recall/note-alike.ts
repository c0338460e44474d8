// A word to who is in a folder that looks like a private project, whose conversations are not shown there: how to say that it is.
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Here, nameOf } from './here.ts';

/** Where something was said in the folder since, it is a project of its own: then only who found nothing is told. */
export function noteAlike({ output, style, text }: Context, here: Here, foundNothing: boolean): void {
  const like = here.unconfirmed ?? (foundNothing ? here.alike : undefined);
  if (like !== undefined) output.note(style.yellow(text.projects.unconfirmed(plainLine(nameOf(like, here.known)))));
}
