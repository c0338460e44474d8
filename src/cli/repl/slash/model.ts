// /model: which model answers; with a name, another one from the next turn on.
import { plainLine } from '../../output/plain-text.ts';
import type { ReplHost } from '../repl-host.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

export const model: SlashAction = {
  complete: (words, host) => (words.length === 1 ? [...(host.knownModels?.() ?? []), 'offline'] : []),
  async run(words, host) {
    const { slash } = host.context.text;
    const [reference] = words;
    if (words.length > 1) throw new WrongUse();
    if (host.current.kind === 'team') host.say(slash.model.ofTeam, 'note');
    else if (reference === undefined) host.say(describeModel(host, host.current.model));
    else if (!host.setModel) host.say(slash.notHere('model'), 'warning');
    else {
      await host.setModel(reference);
      host.say(slash.model.changed(plainLine(reference)), 'done');
    }
  },
};

function describeModel({ context: { text } }: ReplHost, name: string): string {
  return name === 'offline' ? text.slash.model.offline : text.slash.model.now(plainLine(name));
}
