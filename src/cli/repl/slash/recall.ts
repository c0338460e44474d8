// /recall: what the model would be told about earlier conversations for these words, and why. Nothing is sent.
import { prepareHere } from '../../recall/prepare-here.ts';
import { renderPrepared } from '../../recall/render-prepared.ts';
import type { SlashAction } from './slash-command.ts';

export const recall: SlashAction = {
  async run(words, host) {
    const { context, store, current } = host;
    const asked = words.join(' ') || context.text.recall.goOn;
    const [found, here] = [await host.recall(), await host.here()];
    const prepared = await prepareHere(context, { store, recall: found, here, asked, except: current.id });
    await renderPrepared(context, store, asked, prepared);
  },
};
