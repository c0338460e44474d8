// A snapshot holds only what the store may keep, and what is told of a save is what happened.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoragePolicy } from '../../src/model/storage-policy.ts';
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import { createMarkedWord, findWords, listPaths } from '../support/raw-files.ts';
import { createSnapshot } from '../support/session-snapshots.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import { makeTeam, openTeamBench } from './workbench.ts';

const hour = 3_600_000;

it.each<StoragePolicy>([
  { kind: 'none' },
  { kind: 'headers-only' },
  { kind: 'ttl', milliseconds: hour, afterwards: 'delete' },
  { kind: 'ttl', milliseconds: hour, afterwards: 'headers-only' },
])('nothing is in a file beside the store under the policy %j, also after a resume', async (policy) => {
  const words = [createMarkedWord(), createMarkedWord(), createMarkedWord()] as const;
  const bench = await openTeamBench({ conversation: { policy }, script: { ana: [words[1]] } });
  const { sessionId } = await bench.coordinator.setTeam(makeTeam({ task: words[2], limits: { saveEvery: 1 } }));
  await bench.coordinator.sendMessage(`${words[0]} [TEAM_TASK: ${words[2]} it is]`);
  await bench.coordinator.stop();
  const again = await openTeamBench({ home: bench.home });
  await again.coordinator.setTeam(makeTeam(), { resumeSessionId: sessionId });
  await again.coordinator.sendMessage(words[0]);
  await again.close();
  await bench.close();
  expect(listPaths(bench.home).filter((path) => path.includes('sessions'))).toEqual([]);
  if (policy.kind !== 'ttl') expect(findWords(bench.home, words)).toEqual({});
});

it('secrets in a file that came from elsewhere are masked when it is taken up and saved', async () => {
  const home = createQuickFolder('team');
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const snapshot = createSnapshot(2, { sessionId: 'old-1' });
  snapshot.context.teamTask = `use ${secret}`;
  for (const message of snapshot.context.messages) message.content = `it is ${secret}`;
  snapshot.metadata.summary = secret;
  mkdirSync(join(home, 'sessions', 'review'), { recursive: true });
  writeFileSync(join(home, 'sessions', 'review', '20251125T140000000Z-old-1.json'), JSON.stringify(snapshot));
  const { coordinator, storage, store } = await openTeamBench({ home });
  await coordinator.setTeam(makeTeam(), { resumeSessionId: 'old-1' });
  await coordinator.pause();
  const saved = await storage.loadSession('review', 'old-1');
  expect(JSON.stringify(saved)).not.toContain(secret);
  expect(saved.context.teamTask).toMatch(/^use ./);
  expect(saved.metadata.log?.conversationId).toBe((await store.find('team-session:old-1'))?.id);
});

it('a state that was not written because a newer one stands is told as that', async () => {
  const { coordinator, storage, heard, home } = await openTeamBench();
  const { sessionId } = await coordinator.setTeam(makeTeam());
  await coordinator.sendMessage('one');
  await coordinator.flush();
  const saved = await storage.loadSession('review', sessionId);
  const log = { conversationId: coordinator.conversationId as string, seq: 99 };
  const elsewhere = new FileSystemStorageService({ home });
  const { path } = await elsewhere.saveSession('review', { ...saved, metadata: { ...saved.metadata, log } });
  await coordinator.sendMessage('two');
  await coordinator.flush();
  expect(heard('saved').map(({ messages }) => messages)).toEqual([3]);
  expect(heard('save-skipped')).toMatchObject([{ path, messages: 6 }]);
});
