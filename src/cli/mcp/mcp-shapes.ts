// What --json prints for MCP servers, and for putting our own into the settings of other agents; part of json-shapes.ts.

export const mcpShapes = {
  mcp: `// continuo mcp list, continuo mcp test
{
  file: string;
  servers: {
    name: string;
    state: 'named' | 'ready' | 'failed' | 'disabled';
    reached: { type: 'stdio'; command: string; args: string[] } | { type: 'http'; url: string };
    /** Present after a test. */
    milliseconds?: number;
    tools?: { name: string; description: string }[];
    problems?: string[];
  }[];
}

// continuo mcp install
{
  client: string;
  file: string;
  /** restore: an undo put the entry back that was there before. */
  state: 'add' | 'replace' | 'remove' | 'restore' | 'none';
  /** Where what the file held before is kept; null where there is nothing to keep. */
  backup: string | null;
}

// continuo mcp install --print
{
  client: string;
  file: string;
  entry: object;
  /** What would be written into a file that holds nothing else. */
  snippet: string;
}

// continuo mcp install --print --undo
{
  client: string;
  file: string;
  state: 'remove' | 'restore' | 'none';
  /** The whole file as it would be; null where it would be removed or is not there. */
  text: string | null;
}`,
};
