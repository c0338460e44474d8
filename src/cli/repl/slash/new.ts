// /new: leaves what is open, saved, and begins a new conversation.
import type { SlashAction } from './slash-command.ts';

export const newConversation: SlashAction = {
  async run(words, host) {
    const title = words.join(' ');
    await host.startNew(title === '' ? {} : { title });
  },
};
