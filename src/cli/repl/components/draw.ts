// What every component is given beside what it shows.
import type { Messages } from '../../messages/messages.ts';
import type { Style } from '../../output/style.ts';

export interface Draw {
  text: Messages;
  style: Style;
  columns: number;
  rows: number;
  now: number;
}
