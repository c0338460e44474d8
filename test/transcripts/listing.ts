// A session as a few lines of text, to be held against what a person wrote down from its file: who said what, when, at what price.
import { readFileSync } from 'node:fs';
import type { NewEntry } from '../../src/model/entry.ts';
import type {
  EntryItem,
  TranscriptEntry,
  TranscriptFormat,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from '../../src/transcripts/transcript-format.ts';

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function findSources(format: TranscriptFormat, root: string): Promise<TranscriptSource[]> {
  const found = await collect(format.discover(root));
  return found.filter((each) => each.type === 'source');
}

export async function readItems(format: TranscriptFormat, source: TranscriptSource): Promise<TranscriptItem[]> {
  return collect(format.read(source));
}

export function headerOf(items: readonly TranscriptItem[]): TranscriptHeader {
  return Object.assign({}, ...items.map((item) => (item.type === 'header' ? item.header : {})));
}

export function entriesOf(items: readonly TranscriptItem[]): EntryItem[] {
  return items.filter((item) => item.type === 'entry');
}

export async function listSession(format: TranscriptFormat, source: TranscriptSource): Promise<string> {
  const items = await readItems(format, source);
  const { title = source.title, cwd, branch, model, agentVersion, createdAt, parent } = headerOf(items);
  const facts: [string, string | undefined][] = [
    ['title', title],
    ['cwd', cwd],
    ['branch', branch],
    ['model', model],
    ['version', agentVersion],
    ['created', createdAt === undefined ? undefined : new Date(createdAt).toISOString()],
    ['parent', parent && [parent.kind, parent.id, parent.callId].filter((part) => part !== undefined).join(' ')],
  ];
  const head = facts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${value}`);
  return [`= ${source.id}`, ...head, ...entriesOf(items).map(({ entry }) => listEntry(entry))].join('\n');
}

export function listEntry(entry: TranscriptEntry | NewEntry): string {
  const time = entry.at === undefined ? '?' : new Date(entry.at).toISOString().slice(11, -1);
  const { cwd, branch } = entry.meta ?? {};
  const words = [
    time,
    whoOf(entry),
    usageOf(entry),
    entry.kind === 'tool-result' && entry.failed ? 'failed' : '',
    cwd === undefined ? '' : `(cwd ${cwd})`,
    branch === undefined ? '' : `(branch ${branch})`,
  ];
  const said = entry.kind === 'tool-call' ? JSON.stringify(entry.input) : entry.text;
  const line = words.filter((word) => word !== '').join(' ');
  return entry.kind === 'event' ? line : `${line} | ${entry.kind === 'tool-call' ? said : oneLine(said)}`;
}

/** The sessions of an expected listing by id. */
export function readExpected(name: string): Map<string, string> {
  const text = readFileSync(new URL(`./expected/${name}.txt`, import.meta.url), 'utf8');
  const sections = text.trimEnd().split('\n\n');
  return new Map(sections.map((section) => [section.slice(2, section.indexOf('\n')), section]));
}

function whoOf(entry: TranscriptEntry | NewEntry): string {
  if (entry.kind === 'message') return entry.role;
  if (entry.kind === 'tool-call') return `call ${entry.tool}`;
  if (entry.kind === 'tool-result') return `result ${entry.tool ?? '?'}`;
  return entry.kind === 'event' && entry.name === 'model-usage' ? 'usage' : entry.kind;
}

function usageOf(entry: TranscriptEntry | NewEntry): string {
  const usage =
    (entry.kind === 'message' ? entry.usage : undefined) ??
    entry.meta?.usage ??
    (entry.kind === 'event' ? entry.counts : undefined);
  if (!usage) return '';
  const { inputTokens, outputTokens, cachedTokens } = usage as Record<string, number>;
  return `${inputTokens}/${outputTokens}/${cachedTokens}`;
}

function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
