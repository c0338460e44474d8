// continuo code: a coding agent on a task, or on a saved session; and the sessions that are saved.
import type { Command } from 'commander';
import { hasPipedInput, readAddition, readPiped } from '../chat/piped-text.ts';
import { type CodeOptions, type CodePlan, readCodePlan } from '../code/code-options.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { collect } from '../option-values.ts';
import { usageError } from '../usage-error.ts';

export function define(command: Command, { commands: { code } }: Help): void {
  const { options } = code;
  command
    .argument('[task]', code.arguments.task)
    .option('-r, --resume [file|id]', options.resume)
    .option('--root <folder>', options.root)
    .option('-m, --model <provider:model>', options.model)
    .option('--base-url <url>', options.baseUrl)
    .option('--no-review', options.noReview)
    .option('--max-review <count>', options.maxReview)
    .option('--non-interactive', options.nonInteractive)
    .option('--yes <rule>', options.yes, collect)
    .option('--deny <rule>', options.deny, collect)
    .option('--network', options.network)
    .option('--timeout <seconds>', options.timeout)
    .option('--tools <group>', options.tools)
    .option('--commit [message]', options.commit);
}

export async function run(context: Context, [given]: readonly string[], options: CodeOptions): Promise<number | undefined> {
  if (given === 'sessions') return listSessions(context, options);
  const plan = readCodePlan(context, options);
  const words = await readWords(context, plan, given);
  return (await import('../code/run-code.ts')).runCode(context, plan, words);
}

async function listSessions(context: Context, { root, ...others }: CodeOptions): Promise<undefined> {
  const slip = Object.entries(others).find(([name, value]) => name !== 'review' || value === false)?.[0];
  if (slip !== undefined) throw usageError(context.text.code.unfit(toFlag(slip === 'review' ? 'noReview' : slip)));
  return (await import('../code/list-code-sessions.ts')).listCodeSessions(context, root);
}

/** The task, with what another program hands over. A saved session has one already. */
async function readWords(context: Context, plan: CodePlan, given: string | undefined): Promise<string | undefined> {
  const needsTask = plan.resume === undefined;
  if (given !== undefined || !needsTask) {
    const added = await readAddition(context);
    const words = [given ?? '', added].filter((part) => part.trim() !== '').join('\n\n');
    return words === '' && !needsTask ? undefined : requireText(context, words);
  }
  if (hasPipedInput()) return requireText(context, await readPiped(context));
  if (!plan.canAsk) throw usageError(context.text.code.noTask);
  return requireText(context, (await (await import('../code/ask-task.ts')).askTask(context)) ?? '');
}

function requireText({ text }: Context, words: string): string {
  if (words.trim() === '') throw usageError(text.code.noTask);
  return words;
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
