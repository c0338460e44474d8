import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../test/support/child-program.ts';
import { append, conversation, readAll, said, Workbench } from '../../../../test/support/jsonl-workbench.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { AppendNotice } from '../../../model/ports/store-driver.ts';

const bench = new Workbench();
let script: string;

beforeAll(async () => {
  script = await bundleProgram(new URL('../../../../test/support/jsonl-writer.ts', import.meta.url));
});
afterEach(() => bench.clear());
afterAll(() => rmSync(script, { force: true }));

interface Acknowledged {
  id: ConversationId;
  seq: number;
  text: string;
}

interface Writer {
  child: ChildProcessWithoutNullStreams;
  /** What it was told is durable, once it has ended. */
  ended: Promise<Acknowledged[]>;
}

function startWriter(folder: string, name: string, count: number, targets: string[]): Writer {
  return watchWriter(spawn(process.execPath, [script, folder, name, String(count), '0', ...targets]));
}

function watchWriter(child: ChildProcessWithoutNullStreams): Writer {
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = new Promise<Acknowledged[]>((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL') reject(new Error(`a writer ended with ${code}: ${errors}`));
      else resolve(parse(output));
    });
  });
  return { child, ended };
}

function parse(output: string): Acknowledged[] {
  const whole = output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  return whole.map((line) => {
    const [id, seq, ...text] = line.split(' ');
    return { id: id as ConversationId, seq: Number(seq), text: text.join(' ') };
  });
}

describe('several processes', () => {
  it('append to the same and to different conversations: nothing is lost, doubled or reordered', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const shared = conversation();
    await driver.insertConversation(shared);
    const own = Array.from({ length: 4 }, () => conversation());
    for (const each of own) await driver.insertConversation(each);
    const writers = own.map(({ id }, i) => startWriter(folder, `writer${i}`, 60, [shared.id, id, 'chat:shared']));
    const acknowledged = (await Promise.all(writers.map((writer) => writer.ended))).flat();
    expect(acknowledged.length).toBe(4 * 60 * 3);

    const ids = [...new Set(acknowledged.map(({ id }) => id))];
    expect(ids.length).toBe(6);
    for (const id of ids) {
      const expected = acknowledged.filter((each) => each.id === id).sort((a, b) => a.seq - b.seq);
      const records = await readAll(driver, id);
      expect(records.map(({ seq }) => seq)).toEqual(records.map((_, i) => i + 1));
      expect(records.map(({ seq, text }) => ({ id, seq, text }))).toEqual(expected);
    }
    expect(await driver.verify()).toEqual({ conversations: 6, entries: 720, problems: [] });
    const listed = await driver.listConversations({ limit: 10 });
    expect(listed.map(({ lastSeq }) => lastSeq).sort((a, b) => a - b)).toEqual([60, 60, 60, 60, 240, 240]);
  });

  it('are seen by a follower, each conversation up to its last entry', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation();
    await driver.insertConversation(made);
    const notices: AppendNotice[] = [];
    const stop = driver.follow((notice) => notices.push(notice));
    await append(driver, made.id, said('mine'));
    await startWriter(folder, 'other', 20, [made.id, 'chat:other']).ended;
    const other = (await driver.findByKey('chat:other'))?.id;
    const last = (id: ConversationId | undefined) => notices.findLast((notice) => notice.conversationId === id)?.lastSeq;
    await expect.poll(() => [last(made.id), last(other)]).toEqual([21, 20]);
    stop();
    for (const id of [made.id, other]) {
      const seqs = notices.filter((notice) => notice.conversationId === id).map(({ lastSeq }) => lastSeq);
      expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    }
  });

  it.skipIf(process.platform === 'win32')('take back what does not fit, whole, and lose nothing that was there', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation();
    await driver.insertConversation(made);
    await append(driver, made.id, said('before'));
    // Files may grow to 4 MiB; then a write stops half-way with an error, as on a full disk.
    const limited = `trap '' XFSZ; ulimit -f 4096; exec "$0" "$@"`;
    const given = [process.execPath, script, folder, 'wordy', '100', '300000', made.id];
    const acknowledged = await watchWriter(spawn('bash', ['-c', limited, ...given])).ended;
    const refusal = acknowledged.pop();
    expect(refusal?.text).toBe('io-failed');
    expect(acknowledged.length).toBeGreaterThan(5);
    const records = await readAll(driver, made.id);
    expect(records.map(({ seq, text }) => ({ id: made.id, seq, text: text?.trim() }))).toEqual([
      { id: made.id, seq: 1, text: 'before' },
      ...acknowledged,
    ]);
    expect((await driver.verify()).problems).toEqual([]);
    await append(driver, made.id, said('after'));
    expect((await readAll(driver, made.id)).at(-1)).toMatchObject({ seq: records.length + 1, text: 'after' });
  });

  it('may be killed at any moment: what was acknowledged stays, and the others go on at once', async () => {
    const folder = join(bench.folder(), 'data');
    const driver = await bench.open(folder);
    const made = conversation();
    await driver.insertConversation(made);
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < 6; round++) {
      const { child, ended } = startWriter(folder, `round${round}`, 100_000, [made.id]);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await sleep(Math.random() * 30);
      child.kill('SIGKILL');
      acknowledged.push(...(await ended));
      const started = performance.now();
      await append(driver, made.id, said(`between ${round}`));
      expect(performance.now() - started).toBeLessThan(5000);
    }
    const records = await readAll(driver, made.id);
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, i) => i + 1));
    const textAt = new Map(records.map(({ seq, text }) => [seq, text]));
    for (const { seq, text } of acknowledged) expect(textAt.get(seq)).toBe(text);
    expect((await driver.verify()).problems).toEqual([]);
  });
});
