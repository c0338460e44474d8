// /end: ends the team or the conversation, saved.
import { type SlashAction, takesNone } from './slash-command.ts';

export const end: SlashAction = {
  async run(words, host) {
    takesNone(words);
    await host.leave({ quits: false });
  },
};
