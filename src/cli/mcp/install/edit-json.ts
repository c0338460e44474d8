// One entry put into a JSON settings file, or taken out of it: comments, order, line ends and spacing of everything else stay as they are.
import { type JsonMember, type JsonNode, parseDocument } from './json-document.ts';

type ObjectNode = Extract<JsonNode, { type: 'object' }>;

/** The text with the value at the path; what is null on the way counts as empty. Everything else on the way must be an object. */
export function withMember(text: string, path: readonly string[], value: unknown): string {
  let node = asObject(parseDocument(text), '');
  for (const [i, key] of path.entries()) {
    const member = node.members.findLast((each) => each.key === key);
    const rest = path.slice(i + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    if (!member) return insertMember(text, node, key, rest);
    if (i === path.length - 1 || isNull(member.value)) return replaceValue(text, member, rest);
    node = asObject(member.value, key);
  }
  return text;
}

/** The text with the value that another text has at the path, letter by letter; undefined where one of them has none. */
export function withMemberOf(text: string, other: string, path: readonly string[]): string | undefined {
  const present = findValue(text, path);
  const wanted = findValue(other, path);
  return present && wanted && text.slice(0, present.start) + other.slice(wanted.start, wanted.end) + text.slice(present.end);
}

/** The text without the object at the path, where that holds nothing at all, no comment either. */
export function withoutEmptyMember(text: string, path: readonly string[]): string {
  const node = findValue(text, path);
  const isBare = node?.type === 'object' && /^\{\s*\}$/.test(text.slice(node.start, node.end));
  return (isBare ? withoutMember(text, path) : undefined) ?? text;
}

/** The text without the member at the path; undefined where there is none. */
export function withoutMember(text: string, path: readonly string[]): string | undefined {
  let node = asObject(parseDocument(text), '');
  for (const [i, key] of path.entries()) {
    const index = node.members.findLastIndex((each) => each.key === key);
    const member = node.members[index];
    if (!member) return undefined;
    if (i === path.length - 1) return cutMember(text, node, index);
    node = asObject(member.value, key);
  }
  return undefined;
}

/** A file that holds nothing else. */
export function newDocument(path: readonly string[], value: unknown): string {
  const whole = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return `${JSON.stringify(whole, null, 2)}\n`;
}

function findValue(text: string, path: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = parseDocument(text);
  for (const key of path) {
    node = node?.type === 'object' ? node.members.findLast((each) => each.key === key)?.value : undefined;
  }
  return node;
}

function asObject(node: JsonNode, name: string): ObjectNode {
  if (node.type !== 'object') throw new TypeError(`"${name}" is not an object`);
  return node;
}

function isNull(node: JsonNode): boolean {
  return node.type === 'plain' && node.value === null;
}

function replaceValue(text: string, { start, value: { start: from, end } }: JsonMember, value: unknown): string {
  const written = isInline(text, from, end) ? JSON.stringify(value) : format(text, value, lineStart(text, start).indent);
  return text.slice(0, from) + written + text.slice(end);
}

function insertMember(text: string, node: ObjectNode, key: string, value: unknown): string {
  const last = node.members.at(-1);
  const close = node.end - 1;
  if (last && isInline(text, node.start, node.end)) {
    const at = last.comma === undefined ? last.value.end : last.comma + 1;
    const comma = last.comma === undefined ? ', ' : ' ';
    return `${text.slice(0, at)}${comma}${JSON.stringify(key)}: ${JSON.stringify(value)}${text.slice(at)}`;
  }
  const end = lineEndOf(text);
  const base = lineStart(text, node.start).indent;
  const own = last && lineStart(text, last.start);
  const indent = own?.isFirst ? own.indent : base + unitOf(text);
  const member = `${end}${indent}${JSON.stringify(key)}: ${format(text, value, indent)}`;
  // After the last thing that stands inside, also a comment.
  const content = text.slice(0, close).trimEnd().length;
  const needsComma = last !== undefined && last.comma === undefined;
  const before = needsComma ? `${text.slice(0, last.value.end)},${text.slice(last.value.end, content)}` : text.slice(0, content);
  const rest = text.slice(content);
  return before + member + (/^\s*\n/.test(rest) ? rest : `${end}${base}${rest.trimStart()}`);
}

function cutMember(text: string, { members }: ObjectNode, index: number): string {
  const member = members[index] as JsonMember;
  const before = members[index - 1];
  const begin = text.slice(0, member.start).trimEnd().length;
  // What stands before it on its own line stays there.
  const from = /\n/.test(text.slice(begin, member.start)) ? begin : member.start;
  if (member.comma !== undefined) return text.slice(0, from) + text.slice(member.comma + 1);
  const head = text.slice(0, from);
  const withoutComma = before?.comma === undefined ? head : head.slice(0, before.comma) + head.slice(before.comma + 1);
  return withoutComma + text.slice(member.value.end);
}

function format(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text))
    .split('\n')
    .join(lineEndOf(text) + indent);
}

function isInline(text: string, start: number, end: number): boolean {
  return !text.slice(start, end).includes('\n');
}

function lineStart(text: string, at: number): { indent: string; isFirst: boolean } {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(from, at).replace(/^\ufeff/, '');
  return { indent: /^[ \t]*/.exec(before)?.[0] ?? '', isFirst: before.trim() === '' };
}

/** As the file indents: by the first line inside of the root. */
function unitOf(text: string): string {
  return /^\s*\{[^\n]*\r?\n(?:\s*\r?\n)*([ \t]+)\S/.exec(text.replace(/^\ufeff/, ''))?.[1] ?? '  ';
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
