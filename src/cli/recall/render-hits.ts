// What a search found, for people: a heading for each conversation, its passages below, what was asked for standing out.
import type { RecallAnswer, RecallGroup, RecallHit, RecallReason } from '../../model/ports/recall.ts';
import { nameProject } from '../../recall/context/context-source.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findOwnName } from '../conversation-view.ts';
import { formatAgo, formatMoment } from '../output/moment.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import { shortenIds } from '../output/short-ids.ts';
import { isSubAgent } from '../transcripts/sub-agents.ts';

const longestName = 80;

export async function renderAnswer(
  context: Context,
  store: ConversationStore,
  { hits, groups = [], searched, emptyBecause }: RecallAnswer,
): Promise<void> {
  const { output, style, text } = context;
  const words = text.search;
  if (hits.length === 0) {
    output.line(words.nothing[emptyBecause ?? 'below-threshold']);
    if (emptyBecause !== 'nothing-asked') output.note(style.dim(words.searched(searched.entries, searched.conversations)));
    return;
  }
  const ids = await shortenIds(
    store,
    groups.map(({ conversationId }) => conversationId),
  );
  for (const [place, group] of groups.entries()) {
    if (place > 0) output.line('');
    const id = ids.get(group.conversationId) ?? group.conversationId;
    output.line(await headingOf(context, store, group, id));
    for (const hit of group.hits) output.line(...passageOf(context, hit));
  }
  output.note('', style.dim(words.found(hits.length, groups.length, words.searched(searched.entries, searched.conversations))));
  // That the index is a newer program's was told with what to do; that there is more than the newest helps nobody.
  const isIndexing = searched.incompleteBecause === 'index-behind' || searched.incompleteBecause === 'index-unavailable';
  if (isIndexing) output.note(style.dim(words.incomplete));
}

async function headingOf(
  { style, text, now }: Context,
  store: ConversationStore,
  group: RecallGroup,
  id: string,
): Promise<string> {
  const conversation = await store.find(group.conversationId);
  const name = group.title ?? (conversation && (await findOwnName(store, conversation))) ?? text.search.nameless;
  const project = (conversation && nameProject(conversation)) ?? group.project;
  const facts = [
    ...(project === undefined ? [] : [text.search.project(plainLine(project))]),
    ...(group.agent === undefined ? [] : [text.search.agent(plainLine(group.agent))]),
    ...(conversation && isSubAgent(conversation) ? [text.subAgents.mark] : []),
    formatAgo(group.at, now(), text.time),
  ];
  return `${style.cyan(id)}  ${style.bold(cut(plainLine(name)))}  ${style.dim(facts.join(' · '))}`;
}

function passageOf(context: Context, hit: RecallHit): string[] {
  const { style, text } = context;
  const { who } = text.search;
  const speaker =
    hit.kind === 'message' ? who[hit.role ?? 'user'] : hit.kind === 'summary' || hit.kind === 'title' ? who[hit.kind] : who.tool;
  const lines = highlight(context, hit)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [
    `  ${style.dim(`${speaker}, ${formatMoment(hit.at)}, ${hit.entryId}`)}`,
    ...lines.map((line) => `    ${line}`),
    ...(hit.why ? [`    ${style.dim(explain(context, hit.why))}`] : []),
  ];
}

/** Painted piece by piece, so that nothing in the text can end or begin a colour. */
function highlight({ style }: Context, { text, highlights = [] }: RecallHit): string {
  let painted = '';
  let end = 0;
  for (const mark of highlights) {
    if (mark.start < end) continue;
    painted += plainText(text.slice(end, mark.start)) + paintLines(text.slice(mark.start, mark.end), style.yellow);
    end = mark.end;
  }
  return painted + plainText(text.slice(end));
}

function paintLines(text: string, paint: (text: string) => string): string {
  return plainText(text).split('\n').map(paint).join('\n');
}

function explain({ text }: Context, why: RecallReason): string {
  const words = text.search.why;
  const score = (value: number) => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(3)}`;
  return [
    words.total(score(why.total)),
    ...(why.lexical === undefined ? [] : [words.lexical(score(why.lexical))]),
    ...(why.semantic === undefined ? [] : [words.semantic(score(why.semantic))]),
    words.recency(score(why.recency)),
    words.project(score(why.project)),
    ...(why.role === 0 ? [] : [words.role(score(why.role))]),
    ...(why.terms.length === 0 ? [] : [words.terms(plainLine(why.terms.join(', ')))]),
    ...(why.answers === undefined ? [] : [words.answers]),
  ].join(' · ');
}

function cut(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name;
}
