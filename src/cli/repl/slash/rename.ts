// /rename: gives the conversation a title, or takes it away.
import { plainLine } from '../../output/plain-text.ts';
import { shortenId } from '../../output/short-ids.ts';
import { currentConversation } from './current-conversation.ts';
import type { SlashAction } from './slash-command.ts';

export const rename: SlashAction = {
  async run(words, host) {
    const { context, store } = host;
    const { slash, rename: said } = context.text;
    const conversation = await currentConversation(host);
    if (!conversation) return;
    const title = words.length > 0 ? words.join(' ') : await host.askText(slash.rename.title, conversation.title);
    if (title === undefined) {
      host.say(slash.turnedAway, 'note');
      return;
    }
    const renamed = await store.rename(conversation.id, title.trim());
    const id = context.style.cyan(await shortenId(store, conversation.id));
    host.say(renamed.title === undefined ? said.cleared(id) : said.done(id, plainLine(renamed.title)), 'done');
    host.changed?.();
  },
};
