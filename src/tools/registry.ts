// The tools of a conversation in one fixed order: built-in as given, then the others by name. Invariant: the specs are the same,
// byte for byte, whatever order the others came in and whatever order the keys of their schemas have, so that a model's prompt cache
// holds; and one name is one tool.
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { ContinuoError } from '../model/error.ts';
import type { Tool, ToolSpec } from '../model/ports/tool.ts';

export interface ToolRegistry {
  /** What a model is told. */
  readonly specs: readonly ToolSpec[];
  /** The tool of this name; `tool-not-found` where there is none. */
  get(name: string): Tool;
}

/** `tool-conflict` where one name stands for two different tools. Of two that are the same the first stays. */
export function createToolRegistry(builtin: readonly Tool[], others: readonly Tool[]): ToolRegistry {
  const tools = new Map<string, Candidate>();
  for (const candidate of [...builtin.map(toCandidate), ...others.map(toCandidate).sort(byNameAndOrigin)]) {
    const { tool, signature } = candidate;
    const first = tools.get(tool.name);
    if (!first) tools.set(tool.name, candidate);
    else if (first.signature !== signature) {
      throw new ContinuoError('tool-conflict', { tool: tool.name, first: first.tool.source, second: tool.source });
    }
  }
  const specs = [...tools.values()].map(({ tool: { name, description, inputSchema } }) =>
    Object.freeze({ name, description, inputSchema }),
  );
  return {
    specs: Object.freeze(specs),
    get(name) {
      const found = tools.get(name);
      if (!found) throw new ContinuoError('tool-not-found', { tool: name });
      return found.tool;
    },
  };
}

interface Candidate {
  tool: Tool;
  /** Two tools with the same name and the same signature are the same tool. */
  signature: string;
}

function toCandidate(tool: Tool): Candidate {
  const inputSchema = sortKeys(tool.inputSchema) as JsonObject;
  // The name as it was given is part of it: two names that become one by cleaning are still two tools.
  const signature = JSON.stringify([tool.name, inputSchema]);
  return {
    signature,
    tool: {
      name: cleanToolName(tool.name),
      description: tool.description,
      inputSchema,
      source: tool.source,
      access: (input) => tool.access(input),
      run: (input, context) => tool.run(input, context),
    },
  };
}

const maxNameLength = 64;

/**
 * A name that every provider takes: letters, digits, _ and -, at most 64. What is cut off or written in another script would make
 * different names the same, so those end in a hash of the whole name.
 */
export function cleanToolName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/gu, '_');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything that is not ASCII
  const isReadable = name !== '' && /^[\u0000-\u007f]*$/.test(name);
  if (isReadable && clean.length <= maxNameLength) return clean;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${clean.slice(0, maxNameLength - hash.length - 1)}_${hash}`;
}

function byNameAndOrigin(a: Candidate, b: Candidate): number {
  return (
    compare(a.tool.name, b.tool.name) ||
    compare(a.tool.source, b.tool.source) ||
    compare(a.signature, b.signature) ||
    compare(a.tool.description, b.tool.description)
  );
}

/** By code units: the same in every locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same value with the keys of all its objects in order. */
function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort(compare);
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key] as JsonValue)]));
}
