// Tool names as every provider takes them: letters, digits, `_` and `-`, beginning with a letter or `_`, at most 64.
import type { ToolSpec } from '../../model/ports/tool.ts';

export function toToolName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 64);
}

/** The names that are sent, each with the tool it stands for. Two tools that would be called the same get a number. */
export function nameTools(tools: readonly ToolSpec[]): Map<string, ToolSpec> {
  const named = new Map<string, ToolSpec>();
  for (const tool of tools) {
    const plain = toToolName(tool.name);
    let name = plain;
    for (let number = 2; named.has(name); number += 1) name = `${plain.slice(0, 60)}_${number}`;
    named.set(name, tool);
  }
  return named;
}
