// `claude -p --output-format stream-json --verbose --include-partial-messages`: events of the model as they come, whole messages
// after them, and a result at the end. What its own helpers say (parent_tool_use_id) is not the answer.
import { type Dialect, detailOf, type Ending, readUsage, recordOf, type SaidEvent, sessionEvents, textOf } from './dialect.ts';

export const claudeDialect: Dialect = () => {
  const streamed = new Set<unknown>();
  let current: unknown;
  let session: string | undefined;
  let said = '';
  let ending: Ending | undefined;

  const say = (text: string): SaidEvent[] => {
    said += text;
    return [{ type: 'text-delta', text }];
  };
  /** Between two messages of one answer. */
  const breakOff = (): SaidEvent[] => (said === '' || said.endsWith('\n') ? [] : say('\n\n'));

  const readStreamEvent = (event: Record<string, unknown>): SaidEvent[] => {
    if (event.type === 'message_start') {
      current = recordOf(event.message).id;
      return [];
    }
    if (event.type === 'content_block_start' && recordOf(event.content_block).type === 'text') return breakOff();
    if (event.type !== 'content_block_delta') return [];
    const delta = recordOf(event.delta);
    const text = textOf(delta.text);
    const thinking = textOf(delta.thinking);
    if (delta.type === 'text_delta' && text !== undefined) {
      streamed.add(current);
      return say(text);
    }
    return delta.type === 'thinking_delta' && thinking !== undefined ? [{ type: 'thinking-delta', text: thinking }] : [];
  };

  const readMessage = (message: Record<string, unknown>): SaidEvent[] => {
    const blocks = Array.isArray(message.content) ? message.content.map(recordOf) : [];
    return blocks.flatMap((block): SaidEvent[] => {
      const text = textOf(block.text);
      if (block.type === 'text' && text !== undefined) {
        return streamed.has(message.id) ? [] : [...breakOff(), ...say(text)];
      }
      const tool = textOf(block.name);
      return block.type === 'tool_use' && tool !== undefined ? [{ type: 'activity', tool, ...detailOf(block.input) }] : [];
    });
  };

  const readLine = (line: Record<string, unknown>): SaidEvent[] | undefined => {
    if (typeof line.type !== 'string') return undefined;
    if (textOf(line.parent_tool_use_id) !== undefined) return [];
    if (line.type === 'stream_event') return readStreamEvent(recordOf(line.event));
    if (line.type === 'assistant') return readMessage(recordOf(line.message));
    if (line.type === 'result') ending = readResult(line, said);
    return [];
  };

  return {
    object(line) {
      const events = readLine(line);
      const told = session === undefined || line.type === 'result' ? sessionEvents(line.session_id) : [];
      const [first] = told;
      const isNews = first?.type === 'session' && first.sessionId !== session;
      if (first?.type === 'session') session = first.sessionId;
      return events && [...(isNews ? told : []), ...events];
    },
    end: () => ending ?? { usage: {} },
  };
};

function readResult(line: Record<string, unknown>, said: string): Ending {
  const usage = readUsage(line.usage);
  const result = typeof line.result === 'string' ? line.result : undefined;
  if (line.is_error !== true && line.subtype === 'success') return { text: result ?? said, usage };
  const errors = Array.isArray(line.errors) ? line.errors.map(textOf).filter((text) => text !== undefined) : [];
  return { usage, failure: textOf(result) ?? textOf(errors.join('; ')) ?? textOf(line.subtype) ?? 'error' };
}
