// A server's result as a model is told: text as it is, everything else described. Bounded, because a server may say anything.
import { findJsonFault, type JsonValue } from '../../base/json.ts';
import type { ToolOutcome } from '../../model/ports/tool.ts';
import { cleanText } from './text-tail.ts';

const mostTextCharacters = 100_000;
const mostOutputCharacters = 1_000_000;

export function readOutcome(result: Readonly<Record<string, unknown>>): ToolOutcome {
  const output = readOutput(result.structuredContent);
  const parts = Array.isArray(result.content) ? result.content.map(describePart) : [];
  const text = parts.length === 0 && output !== undefined ? JSON.stringify(output) : parts.join('\n');
  return {
    text: cut(text),
    ...(output !== undefined && { output }),
    ...(result.isError === true && { failed: true }),
  };
}

function describePart(part: unknown): string {
  const { type, text, data, mimeType, resource, uri, name, description } = asRecord(part);
  if (type === 'text' && typeof text === 'string') return text;
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return `[${type}: ${line(mimeType)}, ${byteCount(data)} bytes]`;
  if (type === 'resource_link') return `[resource: ${[uri, name, mimeType, description].filter(Boolean).map(line).join(', ')}]`;
  if (type === 'resource') return describeResource(asRecord(resource));
  return `[content of a kind that is not known: ${line(type)}]`;
}

function describeResource({ uri, mimeType, text, blob }: Record<string, unknown>): string {
  const label = [uri, mimeType].filter(Boolean).map(line).join(', ');
  if (typeof text === 'string') return `[resource: ${label}]\n${text}`;
  return `[resource: ${label}, ${typeof blob === 'string' ? byteCount(blob) : 0} bytes]`;
}

function readOutput(value: unknown): JsonValue | undefined {
  if (value === undefined || value === null || findJsonFault(value) !== undefined) return undefined;
  return JSON.stringify(value).length > mostOutputCharacters ? undefined : (value as JsonValue);
}

function cut(text: string): string {
  if (text.length <= mostTextCharacters) return text.toWellFormed();
  return `${text.slice(0, mostTextCharacters).toWellFormed()}\n… (cut: ${mostTextCharacters} of ${text.length} characters)`;
}

/** Of base64. */
function byteCount(data: string): number {
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
}

function line(value: unknown): string {
  return cleanText(String(value)).slice(0, 500);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
