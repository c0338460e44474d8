// Sessions of agents as files: checking, masking, making durable and putting in place, against writing the same state with nothing of
// all that; and restoring against reading and parsing it. A first save masks every message, a later one those it has not seen.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../src/base/json.ts';
import { SessionRestorable } from '../src/snapshot/session-restorable.ts';
import { createRedactor } from '../src/store/redaction/redactor.ts';
import { makeText, withFolder } from './material.ts';
import { compare } from './measure.ts';
import { type Figure, time } from './report.ts';

class Agent extends SessionRestorable {
  messages: JsonObject[] = [];

  protected getSessionState(): JsonObject {
    return {
      agent_type: 'code_agent',
      root_dir: '/home/dev/app',
      model_name: 'gpt-4o',
      start_commit: null,
      messages: this.messages,
      non_interactive: false,
    };
  }

  protected setSessionState({ messages }: JsonObject): void {
    this.messages = messages as JsonObject[];
  }

  protected getSessionFilePrefix(): string {
    return 'code_agent';
  }
}

export async function benchSessionRestorable(): Promise<Figure[]> {
  return [...(await measure(1000, { rounds: 30, warmup: 5 })), ...(await measure(100_000, { rounds: 7, warmup: 1 }))];
}

async function measure(messages: number, rounds: { rounds: number; warmup: number }): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const redactor = createRedactor();
    // As many as an environment has.
    const secretValues = Array.from({ length: 5 }, (_, i) => `value-of-secret-variable-${i}-7f3a9c`);
    const create = (name: string) =>
      new Agent({ directory: join(folder, name), platform: 'openai', modelName: 'gpt-4o', redactor, secretValues });
    const agent = create('one');
    agent.messages = makeMessages(messages);
    const state = { version: '1.0', state: { agent_type: 'code_agent', messages: agent.messages } };
    const plain = join(folder, 'plain.json');
    const times = await compare(
      {
        first: () => {
          const fresh = create('many');
          fresh.messages = agent.messages;
          return must(fresh.saveSession(), fresh);
        },
        later: () => must(agent.saveSession(), agent),
        stringify: () => writeDurably(plain, JSON.stringify(state)),
        restore: () => {
          const restored = create('one');
          return must(restored.restoreSession(), restored);
        },
        parse: () => {
          JSON.parse(readFileSync(plain, 'utf8'));
        },
      },
      { ...rounds, count: 1 },
    );
    const count = messages.toLocaleString('en');
    return [
      figure(`first save of a session of ${count} messages, times stringify and fsync`, times.first, times.stringify),
      figure(`later saves of a session of ${count} messages, times stringify and fsync`, times.later, times.stringify),
      figure(`restore a session of ${count} messages, times read and parse`, times.restore, times.parse),
    ];
  });
}

/** As a coding agent has them: every fifth is a call with its arguments, and its result follows. */
function makeMessages(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, i) => {
    if (i % 5 === 3) {
      const call = { name: 'read_file', arguments: JSON.stringify({ path: `src/render/part-${i}.ts` }) };
      return { role: 'assistant', content: null, tool_calls: [{ id: `call_${i}`, type: 'function', function: call }] };
    }
    if (i % 5 === 4) return { role: 'tool', tool_call_id: `call_${i - 1}`, content: makeText(i, 600) };
    return { role: i % 2 ? 'assistant' : 'user', content: makeText(i) };
  });
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600);
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  fsyncSync(file);
  closeSync(file);
}

async function must(done: Promise<boolean>, agent: Agent): Promise<void> {
  if (!(await done)) throw new Error(agent.lastNotice?.text);
}

function figure(name: string, ours: number, theirs: number): Figure {
  return { name, value: ours / theirs, bound: { kind: 'at most', value: 2 }, detail: `${time(ours)} against ${time(theirs)}` };
}
