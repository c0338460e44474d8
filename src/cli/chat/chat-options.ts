// What `continuo chat` was asked to do, read from its options and checked before anything is opened.
import { resolve } from 'node:path';
import type { NewConversation } from '../../model/conversation.ts';
import type { Context } from '../context.ts';
import { readTime } from '../option-values.ts';
import { readPolicy } from '../policy-option.ts';
import { readFolder } from '../recall/read-folder.ts';
import { usageError } from '../usage-error.ts';

export interface ChatOptions {
  prompt?: string;
  streamJson?: boolean;
  resume?: string | boolean;
  continue?: boolean;
  new?: boolean;
  model?: string;
  baseUrl?: string;
  policy?: string;
  mcpConfig?: string;
  allow?: string[];
  deny?: string[];
  tools?: boolean;
  recall?: boolean;
  network?: boolean;
  timeout?: string;
  title?: string;
  project?: string;
  wait?: string;
}

/** Which conversation: a new one, the newest of the folder, or the one that is named. */
export type Wanted = { begin: NewConversation } | { latest: true } | { named: string };

export interface ChatPlan {
  wanted: Wanted;
  /** The folder to work in; conversations of it are the ones "here". */
  project: string;
  /** Answers once and ends. */
  isScript: boolean;
  /** Tells about conversations of the folder where a new one is begun. */
  hintsHistory: boolean;
  /** Whether somebody is there to be asked for permission, and may be. */
  canAsk: boolean;
  streamJson: boolean;
  tools: boolean;
  /** Whether the model is told of earlier conversations. */
  recall: boolean;
  network: boolean;
  model: string | undefined;
  baseUrl: string | undefined;
  mcpConfig: string | undefined;
  allow: readonly string[];
  deny: readonly string[];
  /** Milliseconds. */
  timeout: number | undefined;
  wait: number | undefined;
}

export function readPlan(context: Context, options: ChatOptions): ChatPlan {
  const config = context.config();
  const { terminal, output } = context;
  const isScript = options.prompt !== undefined || !terminal.stdin || !terminal.stdout || output.json;
  const project = readFolder(context, options.project);
  return {
    wanted: readWanted(context, options),
    project,
    isScript,
    hintsHistory: options.new !== true,
    canAsk: canAsk(context, isScript),
    streamJson: options.streamJson === true,
    tools: options.tools !== false,
    recall: options.recall !== false && config['recall.enabled'].value !== false,
    network: options.network ?? config['exec.network'].value ?? false,
    model: options.model ?? config['model.name'].value,
    baseUrl: options.baseUrl ?? config['model.base_url'].value,
    mcpConfig: options.mcpConfig === undefined ? config['mcp.config'].value : resolve(options.mcpConfig),
    allow: [...(config['approvals.allow'].value ?? []), ...(options.allow ?? [])],
    deny: [...(config['approvals.deny'].value ?? []), ...(options.deny ?? [])],
    timeout: options.timeout === undefined ? undefined : readTime(context, '--timeout', options.timeout),
    wait: options.wait === undefined ? undefined : readTime(context, '--wait', options.wait),
  };
}

/** A script asks only where the settings say so and somebody sits at the terminal. */
function canAsk({ terminal, output, config }: Context, isScript: boolean): boolean {
  const mode = config()['approvals.mode'].value;
  if (!isScript) return mode !== 'deny';
  return mode === 'ask' && terminal.stdin && terminal.stderr && !output.json;
}

function readWanted(context: Context, options: ChatOptions): Wanted {
  const { resume, policy, title } = options;
  const given = [
    ...(resume === undefined ? [] : ['--resume']),
    ...(options.continue ? ['--continue'] : []),
    ...(options.new ? ['--new'] : []),
  ];
  if (given.length > 1) throw usageError(context.text.chat.onlyOneOf(given.join(', ')));
  if (resume === undefined && !options.continue) {
    const kept = policy === undefined ? {} : { policy: readPolicy(context, policy) };
    return { begin: { agent: 'continuo', ...(title !== undefined && { title }), ...kept } };
  }
  const onlyForNew = [...(policy === undefined ? [] : ['--policy']), ...(title === undefined ? [] : ['--title'])];
  if (onlyForNew.length > 0) throw usageError(context.text.usage.onlyForNew(onlyForNew.join(', ')));
  return typeof resume === 'string' ? { named: resume } : { latest: true };
}
