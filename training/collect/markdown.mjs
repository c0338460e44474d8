/** Markdown and HTML documents as blocks: headings, paragraphs, list items, table cells; code as short lines of its own. */
import { cleanProse } from './text.mjs';

const CODE_LINES = 6;

/** Splits a document into { kind: 'heading' | 'text' | 'code', depth, text } in order. */
export function markdownBlocks(source) {
  const blocks = [];
  let paragraph = [];
  let fence;
  let code = 0;
  const flush = () => {
    if (paragraph.length > 0) {
      blocks.push({ kind: 'text', depth: 0, text: cleanProse(paragraph.join(' ')) });
      paragraph = [];
    }
  };
  for (const line of source
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/\r/g, '')
    .split('\n')) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark && (fence === undefined || line.trim().startsWith(fence))) {
      flush();
      fence = fence === undefined ? mark : undefined;
      code = 0;
    } else if (fence !== undefined) {
      const text = line.trim();
      if (text.length >= 12 && text.length <= 120 && code < CODE_LINES) {
        code++;
        blocks.push({ kind: 'code', depth: 0, text });
      }
    } else if (/^\s*#{1,6}\s/.test(line)) {
      flush();
      const depth = /#+/.exec(line)[0].length;
      blocks.push({ kind: 'heading', depth, text: cleanProse(line.replace(/\{#[^}]*\}|#+\s*$/g, '')) });
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      flush();
      for (const cell of line.split('|')) {
        if (/[^\s:-]/.test(cell)) {
          blocks.push({ kind: 'text', depth: 0, text: cleanProse(cell) });
        }
      }
    } else if (/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) {
      flush();
      paragraph.push(line.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s)?/, ''));
    } else if (line.trim() === '' || /^\s*([-*_=])(?:\s*\1){2,}\s*$/.test(line) || /^\s*:::/.test(line)) {
      flush();
    } else {
      paragraph.push(line.trim());
    }
  }
  flush();
  return blocks.filter((block) => block.text !== '');
}

/** The blocks of an HTML text (help pages): the text between block-level tags. */
export function htmlBlocks(source) {
  return source
    .replace(/<(script|style|pre|code)[^>]*>/gi, (whole, tag) => (/^(script|code)$/i.test(tag) ? '' : `\n${whole}`))
    .replace(/<\/(script|code)>/gi, '')
    .split(/<\/?(?:p|h\d|li|ul|ol|dl|dt|dd|div|table|tr|td|th|pre|section|br|style)\b[^>]*>/i)
    .map((text) => ({ kind: 'text', depth: 0, text: cleanProse(text) }))
    .filter((block) => block.text !== '');
}
