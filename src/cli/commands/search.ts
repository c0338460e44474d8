// continuo search: passages of every conversation that hold what is asked for, by conversation, with why where that is wanted.
import type { Command } from 'commander';
import type { RecallAnswer, RecallQuery, RecallRole } from '../../model/ports/recall.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { openHomeWithKey } from '../open-home.ts';
import { readChoice, readCount, readMoment } from '../option-values.ts';
import { embedderOptions } from '../recall/configured-embedder.ts';
import { findProject } from '../recall/find-project.ts';
import { findHere, gatherHere, workingFolder } from '../recall/here.ts';
import { noteAlike } from '../recall/note-alike.ts';
import { findCaughtUp, openHomeRecall } from '../recall/open-home-recall.ts';
import { renderAnswer } from '../recall/render-hits.ts';
import { usageError } from '../usage-error.ts';

const roles: readonly RecallRole[] = ['user', 'assistant', 'tool', 'summary', 'title'];
const defaultLimit = 10;
const mostHits = 1000;

interface SearchOptions {
  project?: string;
  agent?: string;
  role?: string;
  since?: string;
  until?: string;
  tag?: string;
  limit?: string;
  explain?: boolean;
}

export function define(command: Command, { commands: { search } }: Help): void {
  const { options } = search;
  command
    .argument('<words...>', search.arguments.words)
    .option('--project <project>', options.project)
    .option('--agent <name>', options.agent)
    .option('--role <role>', options.role)
    .option('--since <when>', options.since)
    .option('--until <when>', options.until)
    .option('--tag <tag>', options.tag)
    .option('-n, --limit <count>', options.limit)
    .option('--explain', options.explain);
}

export async function run(context: Context, words: readonly string[], options: SearchOptions): Promise<undefined> {
  const query = readQuery(context, words, options);
  const gathering = gatherHere(context, workingFolder());
  const embedder = embedderOptions(context);
  embedder.catch(() => undefined);
  const opened = await openHomeWithKey(context, 'read');
  await using store = opened.store;
  const { project } = options;
  const looks = project === undefined ? { isQuick: true } : { everyProject: project !== 'here' };
  const here = await findHere(context, store, gathering, looks);
  if (project !== undefined) query.projects = (await findProject(context, store, here, project)).fields;
  const recall = await openHomeRecall(context, opened, here, embedder);
  try {
    const answer = await findCaughtUp(context, recall, query);
    if (context.output.json) context.output.result(toJson(query.text, answer), () => []);
    else await renderAnswer(context, store, answer);
    noteAlike(context, here, answer.hits.length === 0);
  } finally {
    await recall.close();
  }
}

function readQuery(context: Context, words: readonly string[], options: SearchOptions): RecallQuery {
  const text = words.join(' ').trim();
  if (text === '') throw usageError(context.text.search.noWords);
  const limit = options.limit === undefined ? defaultLimit : readCount(context, '--limit', options.limit);
  if (limit > mostHits) throw usageError(context.text.usage.tooMany('--limit', mostHits));
  return {
    text,
    limit,
    reach: 'wide',
    ...(options.agent !== undefined && { agent: options.agent }),
    ...(options.role !== undefined && { role: readChoice(context, '--role', options.role, roles) }),
    ...(options.since !== undefined && { since: readMoment(context, '--since', options.since) }),
    ...(options.until !== undefined && { until: readMoment(context, '--until', options.until) }),
    ...(options.tag !== undefined && { tag: options.tag }),
    ...(options.explain && { explain: true }),
  };
}

function toJson(query: string, { hits, groups = [], searched, emptyBecause }: RecallAnswer) {
  return { query, hits: hits.length, groups, searched, emptyBecause: emptyBecause ?? null };
}
