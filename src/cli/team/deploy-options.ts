// What `continuo team deploy` was asked to do, read from its options and checked before anything is opened.
import type { NewConversation } from '../../model/conversation.ts';
import type { Context } from '../context.ts';
import { readCount, readTime } from '../option-values.ts';
import { readPolicy } from '../policy-option.ts';
import { readFolder } from '../recall/read-folder.ts';
import { usageError } from '../usage-error.ts';

export interface TeamOptions {
  prompt?: string;
  streamJson?: boolean;
  resume?: string | boolean;
  new?: boolean;
  maxRounds?: string;
  model?: string;
  baseUrl?: string;
  policy?: string;
  project?: string;
  timeout?: string;
  wait?: string;
  from?: string;
  force?: boolean;
}

/** Which session: a new one, the newest, or the one that is named; undefined where a person may be asked. */
export type WantedSession = 'new' | 'latest' | { id: string } | undefined;

export interface DeployPlan {
  wanted: WantedSession;
  isScript: boolean;
  streamJson: boolean;
  maxRounds: number | undefined;
  /** For members that name none. */
  model: string | undefined;
  baseUrl: string | undefined;
  project: string;
  policy: NewConversation['policy'];
  /** Milliseconds. */
  timeout: number | undefined;
  wait: number | undefined;
}

export function readDeployPlan(context: Context, options: TeamOptions): DeployPlan {
  const { terminal, output } = context;
  const config = context.config();
  const isScript = options.prompt !== undefined || !terminal.stdin || !terminal.stdout || output.json;
  const { resume, policy, maxRounds } = options;
  if (resume !== undefined && options.new) throw usageError(context.text.chat.onlyOneOf('--resume, --new'));
  if (resume !== undefined && policy !== undefined) throw usageError(context.text.usage.onlyForNew('--policy'));
  const wanted = typeof resume === 'string' ? { id: resume } : resume ? 'latest' : options.new || isScript ? 'new' : undefined;
  return {
    wanted,
    isScript,
    streamJson: options.streamJson === true,
    maxRounds: maxRounds === undefined ? undefined : readCount(context, '--max-rounds', maxRounds),
    model: options.model ?? config['model.name'].value,
    baseUrl: options.baseUrl ?? config['model.base_url'].value,
    project: readFolder(context, options.project),
    policy: policy === undefined ? undefined : readPolicy(context, policy),
    timeout: options.timeout === undefined ? undefined : readTime(context, '--timeout', options.timeout),
    wait: options.wait === undefined ? undefined : readTime(context, '--wait', options.wait),
  };
}
