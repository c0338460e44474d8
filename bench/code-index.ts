// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources that are written hold templates of their own
// The index of a project: its first look must grow with the number of files and cost a small multiple of reading them; a second look
// costs a fraction of the first.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodeContextManager } from '../src/code-agent/context/code-context-manager.ts';
import { ContextRecommender } from '../src/code-agent/recommend/context-recommender.ts';
import { withFolder } from './material.ts';
import { median } from './measure.ts';
import { type Figure, time } from './report.ts';

const sizes = { small: 500, large: 5000 };
const rounds = 5;

export async function benchCodeIndex(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const small = { root: join(folder, 'small'), paths: await createProject(join(folder, 'small'), sizes.small) };
    const large = { root: join(folder, 'large'), paths: await createProject(join(folder, 'large'), sizes.large) };
    const samples = {
      small: [] as number[],
      large: [] as number[],
      second: [] as number[],
      read: [] as number[],
      task: [] as number[],
    };
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const keep = (name: keyof typeof samples, took: number) => round > 0 && samples[name].push(took * 1000);
      keep('read', await clock(async () => readBare(large)));
      keep('small', await clock(() => new CodeContextManager({ root: small.root }).refresh()));
      const manager = new CodeContextManager({ root: large.root });
      keep('large', await clock(() => manager.refresh()));
      keep('second', await clock(() => manager.refresh()));
      const recommender = new ContextRecommender({ contextManager: manager });
      keep('task', await clock(() => recommender.recommend('the parser of module 42 drops the last token 机器人坐标')));
    }
    const [first, second, read] = [median(samples.large), median(samples.second), median(samples.read)];
    return [
      {
        name: 'first look at 5,000 files, times at 500',
        value: first / median(samples.small),
        bound: { kind: 'at most', value: 15 },
        detail: `${time(first)} against ${time(median(samples.small))}`,
      },
      {
        name: 'first look at 5,000 files, times reading them',
        value: first / read,
        bound: { kind: 'at most', value: 12 },
        detail: `${time(first)} against ${time(read)}`,
      },
      {
        name: 'second look at 5,000 files, share of the first',
        value: second / first,
        bound: { kind: 'at most', value: 0.35 },
        detail: `${time(second)} against ${time(first)}`,
      },
      { name: 'files for a task out of 5,000, ms', value: median(samples.task) / 1000, detail: 'with a look at what changed' },
    ];
  });
}

async function clock(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function readBare({ root, paths }: { root: string; paths: readonly string[] }): void {
  for (const path of paths) readFileSync(join(root, path), 'utf8');
}

/** TypeScript of about four thousand characters a file that imports its neighbours, in folders of a hundred. */
async function createProject(root: string, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, i) => `src/part${Math.floor(i / 100)}/module${i}.ts`);
  for (let i = 0; i < count; i += 100) await mkdir(join(root, `src/part${i / 100}`), { recursive: true });
  for (const [i, path] of paths.entries()) await writeFile(join(root, path), sourceOf(i, paths));
  return paths;
}

function sourceOf(number: number, paths: readonly string[]): string {
  const imports = [1, 7, 113].map((step) => {
    const target = (number + step) % paths.length;
    return `import { run${target}_0 } from '../../${paths[target]}';`;
  });
  const functions = Array.from({ length: 12 }, (_, i) =>
    [
      `/** Parses the token number ${i} of module ${number}; 机器人坐标 ${number}. */`,
      `export function run${number}_${i}(input: string, options: { limit?: number } = {}): string {`,
      '  const text = `${input} { not code } ${options.limit ?? 5}`; // export function none() {}',
      '  if (/["\']{2}/.test(text)) return text.slice(0, 10);',
      `  return text + 'import x from "./nothing.ts"' + ${i};`,
      '}',
    ].join('\n'),
  );
  return [...imports, ...functions].join('\n');
}
