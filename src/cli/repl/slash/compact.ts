// /compact: from now on the model reads a summary of what was said. The log keeps all of it, and /uncompact shows it again.
import { plainText } from '../../output/plain-text.ts';
import { type SlashAction, takesNone } from './slash-command.ts';

export const compact: SlashAction = {
  async run(words, host) {
    takesNone(words);
    const { slash } = host.context.text;
    if (host.current.kind === 'team') host.say(slash.onlyConversation('compact'), 'warning');
    else if (!host.compact) host.say(slash.notHere('compact'), 'warning');
    else if (host.current.id === undefined) host.say(slash.nothingSaid, 'warning');
    else {
      const compaction = await host.compact();
      if (!compaction) {
        host.say(slash.compact.nothing, 'note');
        return;
      }
      host.say(plainText(compaction.summary).split('\n'), 'note');
      host.say(slash.compact.done(compaction.tokensBefore, compaction.tokensAfter), 'done');
    }
  },
};
