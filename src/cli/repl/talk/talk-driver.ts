// What the application needs of whoever is talked to: a conversation with a model, or a team.
import type { Context } from '../../context.ts';
import { describeFault } from '../describe-fault.ts';
import type { CurrentTalk } from '../repl-host.ts';
import type { MemberView } from '../view/repl-view.ts';
import type { ScreenState } from '../view/screen-state.ts';

export interface TalkDriver {
  readonly current: CurrentTalk;
  /** Who can be addressed by name. */
  readonly members: readonly MemberView[];
  /** Saves the words and has them answered; resolves when the turn has ended, however it did. */
  say(text: string): Promise<void>;
  /** Stops the turn at work; false where there is none. */
  interrupt(): boolean;
  /** Stops, saves and lets go. */
  close(): Promise<void>;
}

/** What went wrong in a turn, said in the talk. */
export function tellFailure(context: Context, screen: ScreenState, error: unknown): void {
  screen.say(describeFault(context, error), { paint: 'red' });
}
