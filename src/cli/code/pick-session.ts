// Which of several saved sessions: a person is shown all of them and names one by its number. Enter takes the newest that can be
// restored; what cannot be is not taken.
import type { SavedSession } from '../../snapshot/saved-session-list.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import { askLine } from '../prompt/ask-line.ts';
import { describeProblem, renderSessions } from './session-table.ts';

/** Undefined for none. Throws `Interrupted` at Ctrl-C. To be called only where stdin and stderr are a terminal. */
export async function pickSession(context: Context, sessions: readonly SavedSession[]): Promise<SavedSession | undefined> {
  const words = context.text.code;
  const say = (...lines: string[]) => process.stderr.write(`${lines.join('\n')}\n`);
  say(...(await renderSessions(context, sessions, 'number')));
  for (;;) {
    const typed = (await askLine(words.pickOne(1, sessions.length)))?.trim();
    if (typed === undefined || ['q', 'n', '不选'].includes(typed.toLowerCase())) return undefined;
    const chosen =
      typed === '' ? sessions.find(({ problem }) => problem === undefined) : sessions[readNumber(typed, sessions.length)];
    if (!chosen) say(words.noSuchNumber(plainLine(typed) || '1'));
    else if (!chosen.problem) return chosen;
    else
      say(
        context.style.yellow(words.cannotPick(sessions.indexOf(chosen) + 1, plainLine(describeProblem(context, chosen.problem)))),
      );
  }
}

function readNumber(typed: string, count: number): number {
  const number = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  return number >= 1 && number <= count ? number - 1 : -1;
}
