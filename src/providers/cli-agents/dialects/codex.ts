// `codex exec --json`: a thread with its id, items as they are completed, and a turn that is completed or has failed.
import { type Dialect, detailOf, type Ending, readUsage, recordOf, type SaidEvent, sessionEvents, textOf } from './dialect.ts';

export const codexDialect: Dialect = () => {
  let said = false;
  let answer: string | undefined;
  let usage: Ending['usage'] = {};
  let isComplete = false;
  let failure: string | undefined;

  const readItem = (item: Record<string, unknown>): SaidEvent[] => {
    const text = textOf(item.text);
    if (item.type === 'agent_message') {
      if (text === undefined) return [];
      answer = text;
      const delta: SaidEvent = { type: 'text-delta', text: said ? `\n\n${text}` : text };
      said = true;
      return [delta];
    }
    if (item.type === 'reasoning') return text === undefined ? [] : [{ type: 'thinking-delta', text }];
    return [];
  };

  return {
    object(line) {
      if (typeof line.type !== 'string') return undefined;
      const item = recordOf(line.item);
      const error = textOf(recordOf(line.error).message) ?? textOf(line.message);
      if (line.type === 'thread.started') return sessionEvents(line.thread_id);
      if (line.type === 'item.completed') return readItem(item);
      if (line.type === 'item.started') return readActivity(item);
      if (line.type === 'turn.completed') {
        isComplete = true;
        failure = undefined;
        usage = readUsage(line.usage);
      } else if (line.type === 'turn.failed') {
        failure = error ?? failure ?? 'turn.failed';
        isComplete = false;
      } else if (line.type === 'error') {
        // Also said before it tries again: it counts only where no turn is completed after it.
        failure = error ?? failure;
      }
      return [];
    },
    end: () => {
      if (failure !== undefined) return { usage, failure };
      return isComplete ? { text: answer ?? '', usage } : { usage };
    },
  };
};

function readActivity(item: Record<string, unknown>): SaidEvent[] {
  if (item.type === 'agent_message' || item.type === 'reasoning' || item.type === 'todo_list') return [];
  const tool = textOf(item.tool) ?? textOf(item.type);
  return tool === undefined ? [] : [{ type: 'activity', tool, ...detailOf(item) }];
}
