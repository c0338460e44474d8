// Tools for tests: what they do is said where they are made.
import type { JsonValue } from '../../src/base/json.ts';
import type { Tool, ToolAccess, ToolContext, ToolOutcome } from '../../src/model/ports/tool.ts';

export interface MadeTool {
  name?: string;
  access?: Partial<ToolAccess>;
  run?: (input: JsonValue, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome;
}

/** A tool that needs no permission unless it says so. */
export function makeTool({ name = 'look', access = {}, run = () => ({ text: 'seen' }) }: MadeTool = {}): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object', properties: {} },
    source: 'built-in',
    access: () => ({ needs: [], summary: name, ...access }),
    run: async (input, context) => run(input, context),
  };
}
