// The port for what a model may call. A tool says first what it would touch, so that permission can be asked before anything
// happens; only then is it run.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ErrorCode } from '../error-codes.ts';
import type { ConversationId } from '../id.ts';

/** What a model is told about a tool. Two tools with the same spec are the same tool. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the input, an object schema. */
  inputSchema: JsonObject;
}

/** What a call would touch. */
export interface ToolAccess {
  /**
   * What has to be allowed, each as words from the general to the particular: `['git', 'status', '-s']`, `['write_file', 'src', 'a.ts']`,
   * `['mcp', 'github', 'create_issue']`. Empty where nothing needs permission. All of them must be allowed.
   */
  needs: readonly (readonly string[])[];
  /** Why no rule may answer for this call and a person has to look at it; absent where rules may. */
  askAlways?: string;
  /** One line for the person who is asked. */
  summary: string;
}

export interface ToolContext {
  conversationId: ConversationId;
  signal: AbortSignal;
  /** Output as it comes, for people who watch. The outcome holds what the model is told. */
  onOutput?: (text: string) => void;
}

export interface ToolOutcome {
  /** What the model is told. */
  text: string;
  /** Structured output beside the text. */
  output?: JsonValue;
  failed?: boolean;
  /** Why it failed, where that has a code. */
  code?: ErrorCode;
}

export interface Tool extends ToolSpec {
  /** Where it comes from, for messages: `built-in`, or the name of an MCP server. */
  readonly source: string;
  /** Throws `invalid-input` where the input does not fit the schema. */
  access(input: JsonValue): ToolAccess | Promise<ToolAccess>;
  /** Does not throw for what goes wrong inside: that is an outcome the model should see. Throws `cancelled` when aborted. */
  run(input: JsonValue, context: ToolContext): Promise<ToolOutcome>;
}
