// /quit: leaves; everything is saved. What is typed after it changes nothing.
import type { SlashAction } from './slash-command.ts';

export const quit: SlashAction = {
  async run(_words, host) {
    await host.leave({ quits: true });
  },
};
