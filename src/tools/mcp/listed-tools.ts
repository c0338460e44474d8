// What a server says it can do, taken with care: every tool is judged by itself, so that one bad tool does not hide the others, and
// nothing in the list can be larger than a model should be shown.
import { createHash } from 'node:crypto';
import { findJsonFault, type JsonObject } from '../../base/json.ts';
import { cleanText } from './text-tail.ts';

export interface ListedTool {
  /** As the server calls it. */
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** The server says that it changes nothing. A hint, not a promise. */
  readOnly: boolean;
}

export interface ToolList {
  /** Sorted by name, no name twice. */
  tools: readonly ListedTool[];
  /** What was left out, and why. */
  problems: readonly string[];
}

const mostDescription = 4_000;
const mostSchemaCharacters = 100_000;
const mostNameCharacters = 512;
/** Models take names of up to 64 letters, digits, `_` and `-`. */
const mostVisibleCharacters = 64;

export function readToolList(listed: readonly unknown[]): ToolList {
  const tools = new Map<string, ListedTool>();
  const problems: string[] = [];
  for (const item of listed) {
    const tool = readTool(item);
    if (typeof tool === 'string') problems.push(tool);
    else if (tools.has(tool.name)) problems.push(`it lists two tools called ${shown(tool.name)}; the first is used`);
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()].sort(byName), problems };
}

function readTool(item: unknown): ListedTool | string {
  const { name, description, inputSchema, annotations, execution } = asRecord(item);
  if (typeof name !== 'string' || name === '' || name.length > mostNameCharacters || /\p{Cc}/u.test(name)) {
    return `it lists a tool with a name that cannot be used: ${shown(name)}`;
  }
  if (asRecord(execution).taskSupport === 'required') return `its tool ${shown(name)} runs only as a task, which is not spoken`;
  if (!isRecord(inputSchema) || inputSchema.type !== 'object') return `its tool ${shown(name)} does not say what it takes`;
  if (findJsonFault(inputSchema) !== undefined || JSON.stringify(inputSchema).length > mostSchemaCharacters) {
    return `what its tool ${shown(name)} takes is too large to be shown`;
  }
  return {
    name,
    description: cutDescription(typeof description === 'string' ? description : ''),
    inputSchema: inputSchema as JsonObject,
    readOnly: asRecord(annotations).readOnlyHint === true,
  };
}

/**
 * A name that models accept for every tool. Only names that have to be changed are: other signs become `_`, what is too long or would
 * meet another name ends in a fingerprint. The same list always gives the same names.
 */
export function visibleNames(prefix: string, names: readonly string[]): Map<string, string> {
  const fits = (name: string) => /^[A-Za-z0-9_-]+$/.test(name) && name.length <= mostVisibleCharacters;
  const visible = new Map<string, string>();
  const taken = new Set<string>();
  for (const keep of [true, false]) {
    for (const name of names) {
      const wanted = prefix + name;
      if (fits(wanted) !== keep) continue;
      const plain = wanted.replace(/[^A-Za-z0-9_-]/g, '_');
      const chosen = plain.length <= mostVisibleCharacters && !taken.has(plain) ? plain : fingerprinted(plain, wanted);
      taken.add(chosen);
      visible.set(name, chosen);
    }
  }
  return visible;
}

function fingerprinted(plain: string, whole: string): string {
  const mark = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${plain.slice(0, mostVisibleCharacters - mark.length - 1)}_${mark}`;
}

function cutDescription(text: string): string {
  return text.length <= mostDescription ? text : `${text.slice(0, mostDescription).toWellFormed()}… (cut)`;
}

function shown(name: unknown): string {
  const text = typeof name === 'string' ? name : (JSON.stringify(name) ?? 'none');
  return `"${cleanText(text.length > 80 ? `${text.slice(0, 80)}…` : text)}"`;
}

export function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
