// One turn as a script has it: shown to whoever watches, and its answer, its calls and its end kept for the report.
import type { JsonValue } from '../../base/json.ts';
import type { RuntimeEvent, RuntimeEventOf } from '../../runtime/runtime-event.ts';
import type { Context } from '../context.ts';
import { plainText } from '../output/plain-text.ts';
import { inLanguage } from './event-language.ts';
import { TurnView } from './turn-view.ts';

export interface TurnWatch {
  toolCalls: ToolCallJson[];
  readonly end: RuntimeEventOf<'turn-end'> | undefined;
  /** Nothing stands in the line that is written to. */
  readonly isAtLineStart: boolean;
  /** Ends the line of an answer that was being shown. */
  finish(): void;
  /** The answer, unless it was shown while it came. */
  print(): Promise<void>;
}

interface ToolCallJson {
  callId: string;
  tool: string;
  input: JsonValue;
  failed?: boolean;
  code?: string;
}

/**
 * Shows the turn where somebody watches, and remembers what the end does not say. At a terminal everything is shown as it comes. Where
 * one of the streams leads elsewhere, stdout gets the final answer alone; what was said before a tool call is for those who watch stderr.
 */
export function watchTurn(context: Context, listen: (listener: (event: RuntimeEvent) => void) => void): TurnWatch {
  const { output, terminal, style, text: words } = context;
  const isLive = terminal.stdout && terminal.stderr && !output.json;
  const toolCalls: ToolCallJson[] = [];
  let end: RuntimeEventOf<'turn-end'> | undefined;
  let isAtLineStart = true;
  /** What the present step has said, where it is not shown as it comes. */
  let said = '';
  const write = (text: string) => {
    if (!isLive || text === '') return;
    process.stdout.write(text);
    isAtLineStart = text.endsWith('\n');
  };
  const finish = () => write(isAtLineStart ? '' : '\n');
  const view = new TurnView(context, {
    write,
    line: (text) => {
      finish();
      output.note(text);
    },
  });
  listen((event) => {
    if (event.type === 'step-start') said = '';
    if (event.type === 'text-delta' && !isLive && terminal.stderr) said += event.text;
    if (event.type === 'tool-call' && said.trim() !== '') {
      output.note(style.dim(plainText(said.trimEnd())));
      said = '';
    }
    view.show(event);
    if (event.type === 'tool-call') toolCalls.push({ callId: event.callId, tool: event.tool, input: event.input });
    if (event.type === 'tool-result')
      Object.assign(toolCalls.find(({ callId }) => callId === event.callId) ?? {}, outcomeOf(event));
    if (event.type === 'turn-end') end = inLanguage(event, words);
  });
  return {
    toolCalls,
    get end() {
      return end;
    },
    get isAtLineStart() {
      return isAtLineStart;
    },
    finish,
    async print() {
      finish();
      const text = end?.text ?? '';
      if (!isLive) await output.write(text.endsWith('\n') ? text : `${text}\n`);
    },
  };
}

function outcomeOf({ failed, code }: RuntimeEventOf<'tool-result'>): Partial<ToolCallJson> {
  return { ...(failed && { failed }), ...(code !== undefined && { code }) };
}
