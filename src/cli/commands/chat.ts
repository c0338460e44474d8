// continuo chat: a conversation with a model, or offline with what is stored. At a terminal it is a talk, elsewhere one answer.
import type { Command } from 'commander';
import { type ChatOptions, type ChatPlan, readPlan } from '../chat/chat-options.ts';
import { hasPipedInput, readAddition, readPiped } from '../chat/piped-text.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { collect } from '../option-values.ts';
import { readInput } from '../prompt/read-input.ts';
import { usageError } from '../usage-error.ts';

export function define(command: Command, { commands: { chat } }: Help): void {
  const { options } = chat;
  command
    .argument('[text]', chat.arguments.text)
    .option('-p, --prompt <text>', options.prompt)
    .option('--stream-json', options.streamJson)
    .option('-r, --resume [id]', options.resume)
    .option('-c, --continue', options.continue)
    .option('--new', options.new)
    .option('-m, --model <provider:model>', options.model)
    .option('--base-url <url>', options.baseUrl)
    .option('--policy <policy>', options.policy)
    .option('--mcp-config <file>', options.mcpConfig)
    .option('--allow <rule>', options.allow, collect)
    .option('--deny <rule>', options.deny, collect)
    .option('--no-tools', options.noTools)
    .option('--no-recall', options.noRecall)
    .option('--network', options.network)
    .option('--timeout <seconds>', options.timeout)
    .option('--title <title>', options.title)
    .option('--project <folder>', options.project)
    .option('--wait <span>', options.wait);
}

export async function run(context: Context, [said]: readonly string[], options: ChatOptions): Promise<number | undefined> {
  if (said !== undefined && options.prompt !== undefined) throw usageError(context.text.chat.textTwice);
  const plan = readPlan(context, options);
  const given = said ?? options.prompt;
  if (plan.isScript) return answer(context, plan, await readWords(context, given));
  if (given !== undefined) requireText(context, given);
  return (await import('../chat/terminal-chat.ts')).runTerminal(context, plan, given);
}

/** Text came on stdin and no command was named. */
export async function runPiped(context: Context, text: string): Promise<number | undefined> {
  return answer(context, readPlan(context, {}), text);
}

async function answer(context: Context, plan: ChatPlan, text: string): Promise<number | undefined> {
  requireText(context, text);
  return (await import('../chat/script-chat.ts')).runScript(context, plan, text);
}

/** What is said: the words given, with what another program hands over. */
async function readWords(context: Context, given: string | undefined): Promise<string> {
  if (given === undefined) return hasPipedInput() ? readPiped(context) : readInput(context);
  const added = await readAddition(context);
  return [given, added].filter((part) => part.trim() !== '').join('\n\n');
}

function requireText({ text }: Context, said: string): void {
  if (said.trim() === '') throw usageError(text.chat.noText);
}
