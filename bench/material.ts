// The text and the stores that benchmarks work on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEntry } from '../src/model/entry.ts';
import type { ConversationId } from '../src/model/id.ts';
import type { ConversationStore } from '../src/store/conversation-store.ts';

const sentences = [
  'The parser drops the last token when the input ends without a newline, see lexer.ts line 214.',
  '请把导航模块的日志级别改成 debug，然后重新运行测试，看看沙发坐标是不是还会漂移。',
  'I changed the retry loop: it now backs off by 250 ms, doubles up to 8 s and stops after five attempts.',
  "Error: ENOENT: no such file or directory, open '/home/dev/app/config/local.json' at Object.openSync (node:fs:601:3)",
  '好的，我先检查数据库迁移脚本，再确认索引有没有建好。',
  'Could you also rename handleThing to resolveReference and update the call sites in src/render?',
];

const englishSentences = sentences.filter((sentence) => /^[ -~]*$/.test(sentence));

/** Chat-like text of about the given length, half of it Chinese, different for every number. */
export function makeText(number: number, length = 400, from = sentences): string {
  let text = `#${number} `;
  for (let i = number; text.length < length; i++) text += `${from[i % from.length]} `;
  return text.slice(0, length);
}

export function makeEnglishText(number: number, length?: number): string {
  return makeText(number, length, englishSentences);
}

export function makeMessage(number: number, length?: number): NewEntry {
  return { kind: 'message', role: number % 2 ? 'assistant' : 'user', text: makeText(number, length) };
}

export async function fill(store: ConversationStore, id: ConversationId, count: number): Promise<void> {
  const step = 10_000;
  for (let from = 0; from < count; from += step) {
    const entries = Array.from({ length: Math.min(step, count - from) }, (_, i) => makeMessage(from + i));
    await store.append(id, entries);
  }
}

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
