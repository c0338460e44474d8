// Embeds some texts with the embedder in use: how long it takes, and how near the texts are to each other.
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import { renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { configuredEmbedder, kindInUse, openConfigured } from '../recall/configured-embedder.ts';
import { usageError } from '../usage-error.ts';

/** The same thing said in two ways and two languages, and something else in both. */
const examples = [
  'The login request times out after thirty seconds',
  'Signing in takes far too long',
  '登录请求三十秒后超时',
  '登不上去，等太久了',
  'Which wine goes with fish?',
  '周末去爬山吗？',
];
const shownCharacters = 40;

export async function testEmbedder(context: Context, words: readonly string[]): Promise<undefined> {
  const settings = configuredEmbedder(context);
  if ((await kindInUse(settings)) === 'none') throw usageError(context.text.embedder.noneToTest);
  const texts = words.length > 0 ? words : examples;
  const start = performance.now();
  const embedder = await openConfigured(context, settings);
  await embedder.embed([texts[0] as string]);
  const opened = performance.now();
  const vectors = await embedder.embed(texts);
  const openMilliseconds = round(opened - start);
  const millisecondsPerText = round((performance.now() - opened) / texts.length);
  const similarities = vectors.map((one) => vectors.map((other) => round(dot(one, other))));
  const { id, dimension } = embedder;
  if (context.output.json) {
    const json = { embedder: id, dimension, openMilliseconds, millisecondsPerText, texts, similarities };
    return void context.output.result(json, () => []);
  }
  const { output, style, terminal, text } = context;
  const rows = texts.map((each, i) => [
    { text: `${i + 1}`, paint: style.dim },
    { text: shorten(plainLine(each)) },
    ...(similarities[i] as number[]).map((value, j) => ({ text: value.toFixed(2), ...(i === j && { paint: style.dim }) })),
  ]);
  const columns = [
    { heading: '', align: 'right' as const },
    { heading: '', flexible: true },
    ...texts.map((_, i) => ({ heading: `${i + 1}`, align: 'right' as const })),
  ];
  const ruler = await createRuler(rows.flat().map((cell) => cell.text));
  output.line(
    text.embedder.tested(plainLine(id), dimension),
    text.embedder.times(`${openMilliseconds}`, `${millisecondsPerText}`),
    '',
  );
  output.line(...renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold }));
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= shownCharacters ? text : `${characters.slice(0, shownCharacters - 1).join('')}…`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Vectors of an embedder have unit length. */
function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] as number), 0);
}
