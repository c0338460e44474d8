// Content as Google's interface has it, and as Gemini CLI and Qwen Code record it: a text, or a list of parts.
import { type Fields, isFields, jsonText, objectIn, textIn, wordIn } from '../fields.ts';

const mostResult = 4 * 1024 * 1024;

export function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ text: content }];
  if (isFields(content)) return [content];
  return Array.isArray(content) ? content.map((part) => (typeof part === 'string' ? { text: part } : part)).filter(isFields) : [];
}

/** What the parts say, without thoughts, calls and results; media by their kind. */
export function wordsOf(parts: readonly Fields[]): string {
  return parts.map((part) => (part.thought === true ? '' : (textIn(part, 'text') ?? describeMedia(part)))).join('');
}

export interface ToolResponse {
  callId: string;
  tool: string | undefined;
  text: string;
  isFailed: boolean;
}

/** The result in a part; undefined where there is none. */
export function responseIn(part: Fields): ToolResponse | undefined {
  if (!isFields(part.functionResponse)) return undefined;
  const given = part.functionResponse;
  const response = objectIn(given, 'response');
  const said = response.output ?? response.error ?? (Object.keys(response).length > 0 ? response : '');
  const text = typeof said === 'string' ? said : jsonText(said, mostResult);
  const isFailed = response.output === undefined && response.error !== undefined;
  return { callId: wordIn(given, 'id') ?? '', tool: wordIn(given, 'name'), text, isFailed };
}

function describeMedia(part: Fields): string {
  const name = 'inlineData' in part ? 'inlineData' : 'fileData' in part ? 'fileData' : undefined;
  if (name === undefined) return '';
  const media = textIn(objectIn(part, name), 'mimeType');
  return media === undefined ? '[file]' : `[${media.startsWith('image/') ? 'image' : 'file'}: ${media}]`;
}
