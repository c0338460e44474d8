// /fork: a new conversation that shares what was said up to here, or up to an entry, and goes on in it.
import { findForkPlace } from '../../fork-place.ts';
import { shortenIds } from '../../output/short-ids.ts';
import { currentConversation } from './current-conversation.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

export const fork: SlashAction = {
  async run(words, host) {
    const { context, store } = host;
    if (words.length > 1) throw new WrongUse();
    if (host.current.kind === 'team') {
      host.say(context.text.slash.onlyConversation('fork'), 'warning');
      return;
    }
    const conversation = await currentConversation(host);
    if (!conversation) return;
    const { origin, at } = await findForkPlace(context, store, conversation.id, words[0]);
    // Whoever branches off leaves what is being said: the branch has it as far as it has come.
    if (host.interrupt()) await host.settled?.();
    const made = await store.fork(origin.id, at === undefined ? {} : { at });
    const ids = await shortenIds(store, [made.id, origin.id]);
    const [id, from] = [ids.get(made.id) as string, ids.get(origin.id) as string];
    await host.openConversation(made.id);
    host.say(context.text.fork.done(context.style.cyan(id), from, made.lastSeq), 'done');
  },
};
