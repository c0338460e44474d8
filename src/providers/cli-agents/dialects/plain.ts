// Programs without a protocol: what they write is the answer, or one JSON document that holds it.
import { type Dialect, type Ending, isSessionId, readUsage, recordOf, textOf } from './dialect.ts';

/** All text is the answer. Ends of lines at its end are not. */
export const textDialect: Dialect = () => {
  let said = '';
  return {
    text(piece) {
      said += piece;
      return [{ type: 'text-delta', text: piece }];
    },
    end: (): Ending => (said.trim() === '' ? { usage: {} } : { text: said.replace(/\s+$/, ''), usage: {} }),
  };
};

/** One document at the end, as `claude --output-format json` and `gemini --output-format json` write it. */
function readJsonAnswer(text: string): Ending | undefined {
  let document: Record<string, unknown>;
  try {
    document = recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  const answer = [document.result, document.response, document.text, document.answer].find((value) => typeof value === 'string');
  const error = textOf(document.error) ?? textOf(recordOf(document.error).message);
  const sessionId = document.session_id ?? document.sessionId;
  const hasFailed = document.is_error === true || error !== undefined;
  return {
    usage: readUsage(document.usage ?? document.stats),
    ...(hasFailed ? { failure: error ?? textOf(answer) ?? 'error' } : typeof answer === 'string' ? { text: answer } : {}),
    ...(isSessionId(sessionId) ? { sessionId } : {}),
  };
}

/** The document may stand over many lines, so it is read when all of it is there. */
export const jsonDialect: Dialect = () => {
  let written = '';
  return {
    text(piece) {
      written += piece;
      return [];
    },
    end: () => readJsonAnswer(written) ?? { usage: {} },
  };
};
