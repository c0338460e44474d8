// /search: passages of every conversation, as `continuo search` shows them.
import { findCaughtUp } from '../../recall/open-home-recall.ts';
import { renderAnswer } from '../../recall/render-hits.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

const mostHits = 10;

export const search: SlashAction = {
  async run(words, host) {
    if (words.length === 0) throw new WrongUse();
    const query = { text: words.join(' '), limit: mostHits, reach: 'wide' } as const;
    const answer = await findCaughtUp(host.context, await host.recall(), query);
    await renderAnswer(host.context, host.store, answer);
  },
};
