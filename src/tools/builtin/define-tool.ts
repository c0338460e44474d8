// Makes a tool of the port out of a schema and two functions. The schema is the single source: it checks every input and is what
// the model is told. Invariant: what a tool throws is coded, and from `run` it is `cancelled` alone.
import * as z from 'zod';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { Tool, ToolAccess, ToolContext, ToolOutcome } from '../../model/ports/tool.ts';

export interface ToolDefinition<Input> {
  name: string;
  description: string;
  schema: z.ZodType<Input>;
  access(input: Input): ToolAccess | Promise<ToolAccess>;
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}

export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
  const { name, description, schema } = definition;
  return {
    name,
    description,
    inputSchema: toInputSchema(schema),
    source: 'built-in',
    async access(input) {
      const parsed = parseInput(name, schema, input);
      try {
        return await definition.access(parsed);
      } catch (error) {
        throw toFileError(error);
      }
    },
    async run(input, context) {
      try {
        context.signal.throwIfAborted();
        return await definition.run(parseInput(name, schema, input), context);
      } catch (error) {
        if (context.signal.aborted) throw isContinuoError(error, 'cancelled') ? error : cancelled(error);
        return toOutcome(error);
      }
    },
  };
}

function parseInput<Input>(tool: string, schema: z.ZodType<Input>, input: JsonValue): Input {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = issue?.path.join('.');
  const message = issue?.message ?? 'unknown mistake';
  throw new ContinuoError('invalid-input', { what: `input of ${tool}`, reason: place ? `${place}: ${message}` : message });
}

/** The schema as models know it, without what only a validator would want to read. */
function toInputSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return JSON.parse(JSON.stringify(described)) as JsonObject;
}

function toOutcome(error: unknown): ToolOutcome {
  const coded = toFileError(error);
  return { text: coded.message, failed: true, code: coded.code };
}

/** What the operating system throws, as a coded error; one that is coded already as it is. */
export function toFileError(error: unknown, path?: string): ContinuoError {
  if (error instanceof ContinuoError) return error;
  const { code, path: named, message } = error as NodeJS.ErrnoException;
  const place = path ?? named ?? 'the file';
  const options = { cause: error };
  if (typeof code !== 'string') return new ContinuoError('internal', { reason: message ?? String(error) }, options);
  if (code === 'ENOENT') return new ContinuoError('io-failed', { path: place, reason: 'it does not exist' }, options);
  if (code === 'EISDIR') return new ContinuoError('io-failed', { path: place, reason: 'it is a folder' }, options);
  if (code === 'ENAMETOOLONG') return new ContinuoError('io-failed', { path: place, reason: 'its name is too long' }, options);
  if (code === 'ELOOP') return new ContinuoError('unsafe-path', { path: place, reason: 'it is a symbolic link' }, options);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new ContinuoError('permission-denied', { path: place }, options);
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ContinuoError('disk-full', { path: place }, options);
  return new ContinuoError('io-failed', { path: place, reason: message }, options);
}

export function cancelled(cause?: unknown): ContinuoError {
  return new ContinuoError('cancelled', {}, { cause });
}
