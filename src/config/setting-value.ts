// Reads a setting's value from where people write it: a word in the environment or on the command line, or a TOML value.
// A mistake is a sentence that says what would have been right.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type SettingName, type SettingValue, settingDefinitions } from './settings.ts';

export type Checked = { value: SettingValue } | { mistake: string };

/** A value written as plain text. `folder` is where relative paths start. */
export function parseSettingText(name: SettingName, text: string, folder: string): Checked {
  const { type } = settingDefinitions[name];
  const trimmed = text.trim();
  if (type.kind === 'boolean') {
    const word = trimmed.toLowerCase();
    if (truths.has(word)) return { value: true };
    if (falsehoods.has(word)) return { value: false };
    return mistakenFor(name, text);
  }
  if (type.kind === 'integer')
    return /^-?\d+$/.test(trimmed) ? checkSettingValue(name, Number(trimmed), folder) : mistakenFor(name, text);
  if (type.kind === 'number')
    return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? checkSettingValue(name, Number(trimmed), folder) : mistakenFor(name, text);
  if (type.kind === 'list') return { value: splitList(text) };
  return checkSettingValue(name, type.kind === 'path' ? text : trimmed, folder);
}

/** A value as TOML gave it. */
export function checkSettingValue(name: SettingName, value: unknown, folder: string): Checked {
  const { type } = settingDefinitions[name];
  if (type.kind === 'choice' && typeof value === 'string' && type.choices.includes(value))
    return { value: value as SettingValue };
  if (type.kind === 'boolean' && typeof value === 'boolean') return { value };
  if (type.kind === 'path' && typeof value === 'string' && value.trim() !== '') return { value: resolvePath(value, folder) };
  if (type.kind === 'integer' && Number.isInteger(value) && (value as number) >= type.min && (value as number) <= type.max) {
    return { value: value as number };
  }
  if (type.kind === 'number' && typeof value === 'number' && value >= type.min && value <= type.max) return { value };
  if (type.kind === 'text' && typeof value === 'string' && value.trim() !== '') return { value };
  if (type.kind === 'url' && typeof value === 'string' && isWebAddress(value)) return { value };
  if (type.kind === 'list' && isTextList(value)) return { value };
  return mistakenFor(name, value);
}

/** A list as one text, and back. */
export function formatList(list: readonly string[]): string {
  return list.join('; ');
}

function splitList(text: string): string[] {
  return text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string' && part.trim() !== '');
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const truths = new Set(['true', '1', 'yes', 'on']);
const falsehoods = new Set(['false', '0', 'no', 'off']);

function mistakenFor(name: SettingName, value: unknown): { mistake: string } {
  const { type } = settingDefinitions[name];
  const found = formatFound(value);
  if (type.kind === 'choice') return { mistake: `${name} must be one of ${type.choices.join(', ')}, not ${found}` };
  if (type.kind === 'boolean') return { mistake: `${name} must be true or false, not ${found}` };
  if (type.kind === 'integer') return { mistake: `${name} must be a whole number from ${type.min} to ${type.max}, not ${found}` };
  if (type.kind === 'number') return { mistake: `${name} must be a number from ${type.min} to ${type.max}, not ${found}` };
  if (type.kind === 'list') return { mistake: `${name} must be a list of texts, not ${found}` };
  if (type.kind === 'url') return { mistake: `${name} must be an address that begins with http:// or https://, not ${found}` };
  if (type.kind === 'text') return { mistake: `${name} must be a text, not ${found}` };
  return { mistake: `${name} must be a path, not ${found}` };
}

/** As it was written: JSON knows no nan, and no numbers of any length. */
function formatFound(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint')
    return String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
  return JSON.stringify(value) ?? String(value);
}

function resolvePath(path: string, folder: string): string {
  return path === '~' || path.startsWith('~/') ? resolve(homedir(), path.slice(2)) : resolve(folder, path);
}
