// Which entries are worth finding, and the words of each. Indexed: what people and models said, what tools were asked and what they
// told (the beginning and the end of it), and summaries. Not indexed: system prompts (the same in every conversation), thinking (not
// said to anybody), labels and events, and what only repeats what was found before, which would echo for ever.
import type { JsonValue } from '../../base/json.ts';
import type { Entry } from '../../model/entry.ts';
import type { DocumentKind, DocumentRole } from './schema.ts';

export interface IndexedText {
  kind: DocumentKind;
  role: DocumentRole;
  text: string;
}

/** No person reads further; what a tool printed is found by its beginning and its end, where errors stand. */
const longestMessage = 200_000;
const toolHead = 12_000;
const toolTail = 4000;
const longestInput = 8000;

/** The searchable text of an entry; undefined where there is none or it is withheld. */
export function documentText(entry: Entry): IndexedText | undefined {
  const found = entry.withheld === undefined ? textOf(entry) : undefined;
  return found && found.text.trim() !== '' ? found : undefined;
}

function textOf(entry: Entry): IndexedText | undefined {
  switch (entry.kind) {
    case 'message':
      if (entry.role === 'system' || entry.model === 'offline') return undefined;
      return { kind: 'message', role: entry.role, text: entry.text.slice(0, longestMessage) };
    case 'summary':
      return { kind: 'summary', role: 'summary', text: entry.text.slice(0, longestMessage) };
    case 'tool-result':
      return entry.tool === 'recall' ? undefined : { kind: 'tool-result', role: 'tool', text: headAndTail(entry.text) };
    case 'tool-call':
      if (entry.tool === 'recall') return undefined;
      return { kind: 'tool-call', role: 'tool', text: `${entry.tool} ${wordsOf(entry.input)}` };
    default:
      return undefined;
  }
}

function headAndTail(text: string): string {
  if (text.length <= toolHead + toolTail) return text;
  return `${text.slice(0, toolHead)}\n${text.slice(-toolTail)}`;
}

/** Names and values of a tool's input, without the signs of JSON. */
function wordsOf(input: JsonValue): string {
  const words: string[] = [];
  let left = longestInput;
  const add = (text: string) => {
    if (left <= 0) return;
    words.push(text.slice(0, left));
    left -= text.length;
  };
  const visit = (value: JsonValue): void => {
    if (left <= 0 || value === null) return;
    if (typeof value !== 'object') add(String(value));
    else if (Array.isArray(value)) for (const item of value) visit(item);
    else {
      for (const [name, item] of Object.entries(value)) {
        add(name);
        visit(item);
      }
    }
  };
  visit(input);
  return words.join('\n');
}
