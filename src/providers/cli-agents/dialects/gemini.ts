// `gemini --output-format stream-json`: the session, pieces of messages, tools, and a result.
import { type Dialect, detailOf, type Ending, readUsage, recordOf, type SaidEvent, sessionEvents, textOf } from './dialect.ts';

export const geminiDialect: Dialect = () => {
  let all = '';
  /** Since it last used a tool. */
  let last = '';
  let ending: Ending | undefined;
  let complaint: string | undefined;

  return {
    object(line) {
      if (typeof line.type !== 'string') return undefined;
      if (line.type === 'init') return sessionEvents(line.session_id ?? line.sessionId);
      if (line.type === 'message') {
        const text = textOf(line.content);
        if (line.role !== 'assistant' || text === undefined) return [];
        const piece = last === '' && all !== '' ? `\n\n${text}` : text;
        last += text;
        all += piece;
        return [{ type: 'text-delta', text: piece }];
      }
      if (line.type === 'tool_use') {
        last = '';
        const tool = textOf(line.tool_name);
        return tool === undefined ? [] : [{ type: 'activity', tool, ...detailOf(line.parameters) } satisfies SaidEvent];
      }
      if (line.type === 'error') complaint = textOf(line.message) ?? complaint;
      if (line.type === 'result') {
        const usage = readUsage(line.stats);
        const failure = textOf(recordOf(line.error).message) ?? textOf(line.error) ?? complaint ?? 'error';
        ending = line.status === 'success' ? { text: last === '' ? all : last, usage } : { usage, failure };
      }
      return [];
    },
    end: () => ending ?? { usage: {}, ...(complaint === undefined ? {} : { failure: complaint }) },
  };
};
