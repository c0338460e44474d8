// continuo embedder: which models find by meaning, what they make of some texts, and which one is used.
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { listEmbedders } from '../embedder/list-embedders.ts';
import { testEmbedder } from '../embedder/test-embedder.ts';
import { type UseOptions, useEmbedder } from '../embedder/use-embedder.ts';
import type { Help } from '../messages/messages.ts';
import { readChoice } from '../option-values.ts';
import { usageError } from '../usage-error.ts';

const actions = ['list', 'test', 'use'] as const;

export function define(command: Command, { commands: { embedder } }: Help): void {
  const { options } = embedder;
  command
    .argument('[action]', embedder.arguments.action)
    .argument('[words...]', embedder.arguments.words)
    .option('--base-url <url>', options.baseUrl)
    .option('--model <name>', options.model)
    .option('--key-env <variable>', options.keyEnv)
    .option('--dimension <count>', options.dimension)
    .option('--pooling <way>', options.pooling)
    .option('--query-prefix <text>', options.queryPrefix)
    .option('--passage-prefix <text>', options.passagePrefix)
    .option('--later', options.later);
}

export async function run(context: Context, given: readonly string[], options: UseOptions): Promise<undefined> {
  const [first = 'list', ...words] = given;
  const action = readChoice(context, 'embedder', first, actions);
  if (action === 'use') return useEmbedder(context, words, options);
  const [option] = Object.keys(options);
  const { usage } = context.text.embedder;
  if (option !== undefined) throw usageError(usage.unfit(`--${toFlag(option)}`, action));
  if (action === 'test') return testEmbedder(context, words);
  if (words.length > 0) throw usageError(usage.list);
  return listEmbedders(context);
}

function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
