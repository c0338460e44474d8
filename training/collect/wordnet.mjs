/** WordNet: each synset as "lemma: gloss" and its example sentences. */

export const isWordnetData = (path) => /^dict\/data\.(?:adj|adv|noun|verb)$/.test(path);

/** Yields the lines of one data file; its example sentences stand in quotes after the gloss. */
export function* glossLines(source) {
  for (const line of source.split('\n')) {
    const bar = line.indexOf(' | ');
    if (line.startsWith('  ') || bar < 0) {
      continue;
    }
    const fields = line.slice(0, bar).split(' ');
    const words = Number.parseInt(fields[3], 16);
    const lemmas = Array.from({ length: words }, (_, at) => fields[4 + at * 2].replace(/\(.*\)$/, '').replace(/_/g, ' '));
    const said = line.slice(bar + 3).trim();
    const gloss = said.replace(/;?\s*"[^"]*"(?:\s*-[^;"]*)?/g, '').trim();
    if (gloss) {
      yield `${lemmas.slice(0, 4).join(', ')}: ${gloss}`;
    }
    for (const example of said.matchAll(/"([^"]{8,})"/g)) {
      yield example[1];
    }
  }
}
