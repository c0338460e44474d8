// What `continuo code` was asked to do, read from its options and checked before anything is opened.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { ContinuoError } from '../../model/error.ts';
import type { Context } from '../context.ts';
import { readCount, readTime } from '../option-values.ts';
import { readFolder } from '../recall/read-folder.ts';
import { usageError } from '../usage-error.ts';

export interface CodeOptions {
  resume?: string | boolean;
  root?: string;
  model?: string;
  baseUrl?: string;
  review?: boolean;
  maxReview?: string;
  nonInteractive?: boolean;
  yes?: string[];
  deny?: string[];
  network?: boolean;
  timeout?: string;
  tools?: string;
  commit?: string | boolean;
}

export interface CodePlan {
  /** The project's folder, links resolved; whether the person named it. */
  root: string;
  isRootNamed: boolean;
  /** Which saved session: undefined for none, `latest` for the one that is picked, or the newest. */
  resume: 'latest' | { source: string } | undefined;
  model: string | undefined;
  /** Chosen for this run, and not by the settings: then it wins over the model of a saved session. */
  isModelNamed: boolean;
  baseUrl: string | undefined;
  review: boolean;
  /** Undefined for the agent's own. */
  maxReview: number | undefined;
  toolGroup: string | undefined;
  nonInteractive: boolean;
  /** Somebody is there who can be asked for the task, and which session; and for permission, unless the settings deny it. */
  canAsk: boolean;
  asksPermission: boolean;
  allow: readonly string[];
  deny: readonly string[];
  network: boolean;
  /** Milliseconds. */
  timeout: number | undefined;
  /** Undefined where nothing is to be committed; no message where the task gives it. */
  commit: { message: string | undefined } | undefined;
}

/** Settings that a saved session has of its own. */
const onlyForNew = { review: '--no-review', maxReview: '--max-review', tools: '--tools' } as const;

export function readCodePlan(context: Context, options: CodeOptions): CodePlan {
  const { terminal, output, text } = context;
  const config = context.config();
  const { resume, commit, maxReview, timeout } = options;
  if (resume !== undefined) refuseForResumed(context, options);
  if (typeof commit === 'string' && commit.trim() === '') throw usageError(text.code.emptyMessage);
  const nonInteractive = options.nonInteractive === true;
  const isThere = terminal.stdin && terminal.stderr && !output.json && !nonInteractive;
  const model = options.model ?? config['model.name'].value;
  // A saved session names its own.
  if (model === undefined && resume === undefined) throw new ContinuoError('model-not-set');
  const source = typeof resume === 'string' ? findFile(resume) : undefined;
  return {
    root: readFolder(context, options.root ?? source?.folder),
    isRootNamed: options.root !== undefined,
    resume: typeof resume === 'string' ? { source: source?.path ?? resume } : resume ? 'latest' : undefined,
    model,
    isModelNamed: options.model !== undefined,
    baseUrl: options.baseUrl ?? config['model.base_url'].value,
    review: options.review !== false,
    maxReview: maxReview === undefined ? undefined : readCount(context, '--max-review', maxReview, 0),
    toolGroup: options.tools,
    nonInteractive,
    canAsk: isThere,
    asksPermission: isThere && config['approvals.mode'].value !== 'deny',
    allow: [...(config['approvals.allow'].value ?? []), ...(options.yes ?? [])],
    deny: [...(config['approvals.deny'].value ?? []), ...(options.deny ?? [])],
    network: options.network ?? config['exec.network'].value ?? false,
    timeout: timeout === undefined ? undefined : readTime(context, '--timeout', timeout),
    commit: commit === undefined ? undefined : { message: typeof commit === 'string' ? commit : undefined },
  };
}

function refuseForResumed({ text }: Context, options: CodeOptions): void {
  const given = (Object.keys(onlyForNew) as (keyof typeof onlyForNew)[]).filter(
    (name) => options[name] !== undefined && options[name] !== true,
  );
  if (given.length > 0) throw usageError(text.code.onlyForNew(given.map((name) => onlyForNew[name]).join(', ')));
}

/** A saved session that is named by its file; the project is the folder it lies in, if it lies where sessions are saved. */
function findFile(given: string): { path: string; folder: string | undefined } | undefined {
  const path = resolve(given);
  if (!given.endsWith('.json') || !existsSync(path)) return undefined;
  const folder = dirname(realpathSync(path));
  return { path, folder: ['.continuo', '.jarvis'].includes(basename(folder)) ? dirname(folder) : undefined };
}
