// A team's own cost a turn: what lies between a human's word and the human's next must not grow with the length of the session.
import { join } from 'node:path';
import { openStore } from '../src/open-store.ts';
import { FileSystemStorageService } from '../src/snapshot/file-system-storage-service.ts';
import { ConversationStore } from '../src/store/conversation-store.ts';
import { MemoryDriver } from '../src/store/drivers/memory/memory-driver.ts';
import { Coordinator } from '../src/team/coordinator.ts';
import { createTeam } from '../src/team/team-definition.ts';
import { makeText, withFolder } from './material.ts';
import { median } from './measure.ts';
import { type Figure, time } from './report.ts';

const sizes = { small: 50, middle: 500, large: 5000 };
type Size = keyof typeof sizes;
const rounds = 100;
const warmup = 20;
const backToBack = 200;

const members = Array.from({ length: 9 }, (_, i) => ({ kind: 'model' as const, id: `m${i}`, role: `Member ${i}` }));
const team = createTeam({ id: 'bench', members: [{ kind: 'human', id: 'me' }, ...members], limits: { windowTokens: 4000 } });

export async function benchTeam(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const home = join(folder, 'home');
    const store = await openStore({ home });
    const storage = new FileSystemStorageService({ home });
    const teams = {
      small: await openSession(store, storage, sizes.small),
      middle: await openSession(store, storage, sizes.middle),
      large: await openSession(store, storage, sizes.large),
    };
    const turns = await measureTurns(teams);
    const own = await measureOwnCode(folder);
    const saves = await measureSaves(teams);
    const busy = await measureBackToBack(teams);
    const everybody = await measureEverybody(teams.middle);
    for (const { coordinator } of Object.values(teams)) await coordinator.stop();
    const resumes = {
      small: await measureResume(teams.small, sizes.small),
      large: await measureResume(teams.large, sizes.large),
    };
    await store.close();
    return [
      {
        name: 'a turn of a team at 5,000 messages, times at 50',
        value: turns.large / turns.small,
        bound: { kind: 'at most', value: 1.5 },
        detail: `${time(turns.large)} against ${time(turns.small)}; at 500 ${time(turns.middle)} (two messages made durable)`,
      },
      {
        name: 'the same without the disk: our own code alone',
        value: own.large / own.small,
        bound: { kind: 'at most', value: 1.5 },
        detail: `${time(own.large)} against ${time(own.small)}; at 500 ${time(own.middle)}`,
      },
      {
        name: 'turns without a rest between, saves beside them included',
        value: busy.large / busy.small,
        bound: { kind: 'at most', value: 2 },
        detail: `${time(busy.large)} against ${time(busy.small)} a turn on average`,
      },
      {
        name: 'ten members at 500 messages, a turn of all, ms a message',
        value: everybody / 1000,
        detail: `${time(everybody)} for each of ten messages`,
      },
      {
        name: 'a snapshot beside the turn at 5,000 messages, ms',
        value: saves.large / 1000,
        detail: `at 50 ${time(saves.small)}, at 500 ${time(saves.middle)}`,
      },
      {
        name: 'going on with a session of 5,000 messages, ms',
        value: resumes.large / 1000,
        detail: `with one of 50 ${time(resumes.small)}`,
      },
    ];
  });
}

interface Seated {
  coordinator: Coordinator;
}

async function openSession(store: ConversationStore, storage: FileSystemStorageService, count: number): Promise<Seated> {
  const messages = Array.from({ length: count }, (_, i) => ({
    id: `m${i}`,
    timestamp: new Date(1_700_000_000_000 + i * 1000).toISOString(),
    speaker: i % 2 ? { id: 'm0', name: 'm0', type: 'ai' as const } : { id: 'me', name: 'me', type: 'human' as const },
    content: makeText(i),
  }));
  const sessionId = `bench-${count}`;
  const at = new Date(1_700_000_000_000).toISOString();
  const context = { teamTask: 'measure', messages };
  const head = { schemaVersion: '1.0', teamId: 'bench', sessionId, createdAt: at, updatedAt: at };
  await storage.saveSession('bench', { ...head, context, metadata: { messageCount: count } });
  const answer = makeText(7);
  const coordinator = new Coordinator({
    store,
    storage,
    createSpeaker: () => ({
      label: 'bench:none',
      async *speak() {
        yield { type: 'text-delta', text: answer };
        yield { type: 'finish', usage: {} };
      },
    }),
  });
  await coordinator.setTeam(team, { resumeSessionId: sessionId });
  return { coordinator };
}

/** One human word and one answer, at the pace of a human: the snapshot is written before the next word. */
async function measureTurns(teams: Record<Size, Seated>): Promise<Record<Size, number>> {
  const samples: Record<Size, number[]> = { small: [], middle: [], large: [] };
  for (let round = 0; round < warmup + rounds; round++) {
    for (const size of Object.keys(sizes) as Size[]) {
      const { coordinator } = teams[size];
      const began = performance.now();
      await coordinator.sendMessage(`[NEXT: m1] question ${round}`);
      if (round >= warmup) samples[size].push((performance.now() - began) * 1000);
      await coordinator.flush();
    }
  }
  return { small: median(samples.small), middle: median(samples.middle), large: median(samples.large) };
}

/** The same turns over a store in memory. */
async function measureOwnCode(folder: string): Promise<Record<Size, number>> {
  const store = await ConversationStore.open({ driver: new MemoryDriver() });
  const storage = new FileSystemStorageService({ home: join(folder, 'memory') });
  const teams = {
    small: await openSession(store, storage, sizes.small),
    middle: await openSession(store, storage, sizes.middle),
    large: await openSession(store, storage, sizes.large),
  };
  const turns = await measureTurns(teams);
  for (const { coordinator } of Object.values(teams)) await coordinator.stop();
  await store.close();
  return turns;
}

async function measureSaves(teams: Record<Size, Seated>): Promise<Record<Size, number>> {
  const samples: Record<Size, number[]> = { small: [], middle: [], large: [] };
  for (let round = 0; round < 15; round++) {
    for (const size of Object.keys(sizes) as Size[]) {
      const began = performance.now();
      await teams[size].coordinator.pause();
      samples[size].push((performance.now() - began) * 1000);
    }
  }
  return { small: median(samples.small), middle: median(samples.middle), large: median(samples.large) };
}

/** The average, so that what is done beside the turns counts, too. */
async function measureBackToBack(teams: Record<Size, Seated>): Promise<Record<Size, number>> {
  const totals: Record<Size, number> = { small: 0, middle: 0, large: 0 };
  const portion = 20;
  for (let done = 0; done < backToBack; done += portion) {
    for (const size of Object.keys(sizes) as Size[]) {
      const began = performance.now();
      for (let i = 0; i < portion; i++) await teams[size].coordinator.sendMessage('[NEXT: m1] and on');
      totals[size] += performance.now() - began;
      await teams[size].coordinator.flush();
    }
  }
  const average = (size: Size) => (totals[size] * 1000) / backToBack;
  return { small: average('small'), middle: average('middle'), large: average('large') };
}

async function measureResume({ coordinator }: Seated, count: number): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 9; round++) {
    const began = performance.now();
    await coordinator.setTeam(team, { resumeSessionId: `bench-${count}` });
    samples.push((performance.now() - began) * 1000);
    await coordinator.stop();
  }
  return median(samples);
}

/** Microseconds for each of the ten messages of a turn in which everybody speaks. */
async function measureEverybody({ coordinator }: Seated): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 30; round++) {
    const began = performance.now();
    await coordinator.sendMessage('everybody');
    samples.push(((performance.now() - began) * 1000) / (members.length + 1));
    await coordinator.flush();
  }
  return median(samples);
}
