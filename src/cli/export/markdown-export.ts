// A conversation as a Markdown page. What was said is Markdown already; what tools said is fenced, however many backticks it holds.
import type { Entry } from '../../model/entry.ts';
import { formatMoment } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import type { ExportSource } from './export-source.ts';

export async function* exportMarkdown({ conversation, name: heading, entries, text }: ExportSource): AsyncGenerator<string> {
  const { id, key, agent, project, tags, createdAt } = conversation;
  const words = text.export.markdown;
  const facts: [string, string | undefined][] = [
    [words.id, `\`${id}\``],
    [words.key, key],
    [words.created, formatMoment(createdAt)],
    [words.agent, agent],
    [words.project, project],
    [words.tags, tags.map((tag) => `#${tag}`).join(' ') || undefined],
  ];
  yield `# ${plainLine(heading)}\n\n`;
  for (const [name, value] of facts) if (value !== undefined) yield `- ${name}: ${plainLine(value)}\n`;
  for await (const entry of entries) yield `\n${renderEntry(entry, text)}\n`;
}

function renderEntry(entry: Entry, text: ExportSource['text']): string {
  const words = text.transcript;
  const when = formatMoment(entry.at);
  const said = (body: string) => (entry.withheld ? `*${words.withheld(entry.withheld.characters)}*` : body);
  if (entry.kind === 'message') {
    const who = [words.roles[entry.role], entry.author?.name, entry.model].filter((part) => part !== undefined).map(plainLine);
    const broken = entry.interrupted ? `\n\n*${words.interrupted}*` : '';
    return `## ${who.join(' · ')} · ${when}\n\n${said(entry.text)}${broken}`;
  }
  if (entry.kind === 'tool-call')
    return `### → ${plainLine(entry.tool)} · ${when}\n\n${said(fence(JSON.stringify(entry.input, null, 2), 'json'))}`;
  if (entry.kind === 'tool-result') {
    const mark = entry.failed ? ` · ${words.failed}` : '';
    return `### ← ${plainLine(entry.tool ?? entry.callId)}${mark} · ${when}\n\n${said(fence(entry.text))}`;
  }
  if (entry.kind === 'thinking') return `### ${words.thinking} · ${when}\n\n${said(quote(entry.text))}`;
  if (entry.kind === 'summary')
    return `### ${words.summary(entry.covers.from, entry.covers.to)} · ${when}\n\n${said(quote(entry.text))}`;
  return `### ${words.label} ${plainLine(entry.name)} · ${when}\n\n${said(entry.text)}`;
}

function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
