// Files of other agents for the import benchmark: sessions as Claude Code leaves them, every line with its folder, branch and version, and
// one document of messages as OpenAI's chat completions know them.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeText } from './material.ts';

export interface Sessions {
  root: string;
  files: string[];
  bytes: number;
}

const firstMoment = 1_767_225_600_000;

export async function writeSessions(root: string, count: number, perSession: number): Promise<Sessions> {
  const files: string[] = [];
  let bytes = 0;
  await mkdir(join(root, 'project'), { recursive: true });
  for (let first = 0; first < count; first += perSession) {
    const id = uuid(files.length, 1);
    const lines = Array.from({ length: Math.min(perSession, count - first) }, (_, i) => formatLine(first + i, id));
    const path = join(root, 'project', `${id}.jsonl`);
    const text = `${lines.join('\n')}\n`;
    await writeFile(path, text);
    bytes += Buffer.byteLength(text);
    files.push(path);
  }
  return { root, files, bytes };
}

export async function writeDocument(root: string, count: number): Promise<Sessions> {
  const messages = Array.from({ length: count }, (_, number) =>
    JSON.stringify({
      role: number % 2 === 0 ? 'user' : 'assistant',
      content: makeText(number),
      timestamp: momentOf(number),
    }),
  );
  const text = `{"model":"model","messages":[\n${messages.join(',\n')}\n]}\n`;
  const path = join(root, 'talk.json');
  await mkdir(root, { recursive: true });
  await writeFile(path, text);
  return { root, files: [path], bytes: Buffer.byteLength(text) };
}

function formatLine(number: number, sessionId: string): string {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const text = makeText(number);
  const message =
    number % 2 === 0
      ? { role: 'user', content: text }
      : { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'model', usage, content: [{ type: 'text', text }] };
  return JSON.stringify({
    parentUuid: number === 0 ? null : uuid(number - 1),
    isSidechain: false,
    type: message.role,
    message,
    uuid: uuid(number),
    timestamp: momentOf(number),
    userType: 'external',
    cwd: '/home/dev/code/long',
    sessionId,
    version: '2.1.325',
    gitBranch: 'main',
  });
}

function momentOf(number: number): string {
  return new Date(firstMoment + number * 1000).toISOString();
}

function uuid(number: number, kind = 0): string {
  return `0000000${kind}-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
