/** Pairs from data whose records keep both languages: a field and its twin, as in { title, titleZh }. */
import { gunzipSync } from 'node:zlib';
import { alignBlocks } from './align.mjs';
import { markdownBlocks } from './markdown.mjs';
import { cleanProse } from './text.mjs';

export const isTwinData = (path) => /^data\/v\d+\.json\.gz$/.test(path);

function* walk(value) {
  if (!value || typeof value !== 'object') {
    return;
  }
  for (const [name, one] of Object.entries(value)) {
    const zh = value[`${name}Zh`];
    if (typeof one === 'string' && typeof zh === 'string') {
      yield* one.includes('\n')
        ? alignBlocks(markdownBlocks(one), markdownBlocks(zh), 'zh')
        : [{ en: cleanProse(one), zh: cleanProse(zh) }];
    } else {
      yield* walk(one);
    }
  }
}

export const twinPairs = (body) => walk(JSON.parse(gunzipSync(body).toString('utf8')));
