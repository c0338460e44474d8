// A conversation as one HTML page that needs nothing else: no script, no image, no address is loaded, and everything that was said is
// text. What tools said is folded away. The page says so itself to the browser, too (Content-Security-Policy).
import { createHash } from 'node:crypto';
import type { Entry } from '../../model/entry.ts';
import { formatMoment } from '../output/moment.ts';
import { plainLine, plainText } from '../output/plain-text.ts';
import type { ExportSource } from './export-source.ts';

const style = `
:root { color-scheme: light dark; --back: #fff; --text: #1f2328; --dim: #656d76; --line: #d0d7de; --user: #ddf4ff; --code: #f6f8fa; --bad: #cf222e }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --dim: #8d96a0; --line: #30363d; --user: #0c2d48; --code: #161b22; --bad: #ff7b72 }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 54rem; padding: 2rem 1rem; background: var(--back); color: var(--text);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif }
h1 { font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; color: var(--dim); font-size: .9rem }
dd { margin: 0; overflow-wrap: anywhere }
article { margin: 1rem 0; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
article.user { background: var(--user) }
header, summary { color: var(--dim); font-size: .85rem }
summary { cursor: pointer; overflow-wrap: anywhere }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin-top: .3rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); border-radius: .3rem; padding: .6rem; margin: .4rem 0;
  font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono CJK SC", monospace }
.failed { color: var(--bad) }
footer { color: var(--dim); font-size: .85rem; margin-top: 2rem }
@media print { article { break-inside: avoid } }
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

export async function* exportHtml({ conversation, name, entries, exportedAt, text }: ExportSource): AsyncGenerator<string> {
  const { id, key, agent, project, tags, createdAt } = conversation;
  const words = text.export.markdown;
  const facts: [string, string | undefined][] = [
    [words.id, id],
    [words.key, key],
    [words.created, formatMoment(createdAt)],
    [words.agent, agent],
    [words.project, project],
    [words.tags, tags.map((tag) => `#${tag}`).join(' ') || undefined],
  ];
  const title = escapeHtml(plainLine(name));
  yield `<!doctype html>
<html lang="${text.language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1 dir="auto">${title}</h1>
<dl>
`;
  for (const [fact, value] of facts)
    if (value !== undefined) yield `<dt>${escapeHtml(fact)}</dt><dd>${escapeHtml(plainLine(value))}</dd>\n`;
  yield '</dl>\n';
  for await (const entry of entries) yield `${renderEntry(entry, text)}\n`;
  yield `<footer>${escapeHtml(text.export.madeAt(formatMoment(exportedAt)))}</footer>\n</body>\n</html>\n`;
}

function renderEntry(entry: Entry, text: ExportSource['text']): string {
  const words = text.transcript;
  const when = formatMoment(entry.at);
  const head = (...parts: (string | undefined)[]) =>
    escapeHtml([...parts.filter((part) => part !== undefined).map(plainLine), when].join(' · '));
  const withheld = entry.withheld && `<div class="text">${escapeHtml(words.withheld(entry.withheld.characters))}</div>`;
  const folded = (heading: string, body: string, mark = '') =>
    `<article><details><summary${mark}>${heading}</summary>${withheld ?? body}</details></article>`;
  if (entry.kind === 'message') {
    const heading = head(words.roles[entry.role], entry.author?.name, entry.model);
    const broken = entry.interrupted ? `<div class="text">${escapeHtml(words.interrupted)}</div>` : '';
    return `<article class="${entry.role}"><header>${heading}</header>${withheld ?? renderSaid(entry.text)}${broken}</article>`;
  }
  if (entry.kind === 'tool-call') return folded(head(`→ ${entry.tool}`), renderBlock(JSON.stringify(entry.input, null, 2)));
  if (entry.kind === 'tool-result') {
    const heading = head(`← ${entry.tool ?? entry.callId}`, entry.failed ? words.failed : undefined);
    return folded(heading, renderBlock(entry.text), entry.failed ? ' class="failed"' : '');
  }
  if (entry.kind === 'thinking') return folded(head(words.thinking), renderSaid(entry.text));
  if (entry.kind === 'summary') return folded(head(words.summary(entry.covers.from, entry.covers.to)), renderSaid(entry.text));
  return folded(head(`${words.label} ${entry.name}`), renderSaid(entry.text));
}

/** Words as they were written; what is fenced as code stands out. */
function renderSaid(said: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const found of said.matchAll(fenced)) {
    parts.push(renderText(said.slice(end, found.index)), renderBlock(found[2] ?? ''));
    end = found.index + found[0].length;
  }
  parts.push(renderText(said.slice(end)));
  return parts.join('');
}

const fenced = /^(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?^\1[ \t]*$/gm;

function renderText(text: string): string {
  const words = text.replace(/^\n+|\s+$/g, '');
  return words === '' ? '' : `<div class="text" dir="auto">${escapeHtml(plainText(words))}</div>`;
}

function renderBlock(text: string): string {
  return `<pre>${escapeHtml(plainText(text))}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
