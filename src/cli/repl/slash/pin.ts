// /pin: marks the conversation so that no cleanup touches it; `off` takes the mark away.
import { shortenId } from '../../output/short-ids.ts';
import { currentConversation } from './current-conversation.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

export const pin: SlashAction = {
  complete: (words) => (words.length === 1 ? ['off'] : []),
  async run(words, host) {
    const { context, store } = host;
    const [given] = words;
    if (words.length > 1 || (given !== undefined && given !== 'off')) throw new WrongUse();
    const conversation = await currentConversation(host);
    if (!conversation) return;
    const isPinned = given === undefined;
    await store.pin(conversation.id, isPinned);
    const id = context.style.cyan(await shortenId(store, conversation.id));
    host.say(isPinned ? context.text.pin.pinned(id) : context.text.pin.unpinned(id), 'done');
    host.changed?.();
  },
};
