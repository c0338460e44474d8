// /uncompact: the model reads again what a summary stood for.
import { type SlashAction, takesNone } from './slash-command.ts';

export const uncompact: SlashAction = {
  async run(words, host) {
    takesNone(words);
    const { slash } = host.context.text;
    if (host.current.kind === 'team') host.say(slash.onlyConversation('uncompact'), 'warning');
    else if (!host.uncompact) host.say(slash.notHere('uncompact'), 'warning');
    else if (host.current.id === undefined) host.say(slash.nothingSaid, 'warning');
    else {
      const undone = await host.uncompact();
      if (undone) host.say(slash.uncompact.done(undone.items, undone.tokensAfter), 'done');
      else host.say(slash.uncompact.nothing, 'note');
    }
  },
};
