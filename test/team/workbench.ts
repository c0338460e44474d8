// A team over a real store and real snapshot files, with scripted members, and everything it tells.
import { onTestFinished } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { Coordinator, type CoordinatorOptions } from '../../src/team/coordinator.ts';
import type { Speaker, SpeakerEvent, SpeakerRequest } from '../../src/team/members/speaker.ts';
import { createTeam, type Team } from '../../src/team/team-definition.ts';
import type { TeamEvent, TeamEventOf } from '../../src/team/team-event.ts';
import type { TeamFile } from '../../src/team/team-file/team-schema.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';

export type Say = string | ((request: SpeakerRequest) => string | AsyncIterable<SpeakerEvent>);

export interface TeamBench {
  home: string;
  store: ConversationStore;
  storage: FileSystemStorageService;
  coordinator: Coordinator;
  events: TeamEvent[];
  /** What each member was asked, in order. */
  requests: { member: string; request: SpeakerRequest }[];
  heard<Type extends TeamEvent['type']>(type: Type): TeamEventOf<Type>[];
  /** Who said what, in order. */
  said(): string[];
  close(): Promise<void>;
}

export interface TeamBenchOptions extends Partial<Omit<CoordinatorOptions, 'store' | 'storage' | 'createSpeaker'>> {
  home?: string;
  /** By member: answers in order; the last is given again. */
  script?: Record<string, readonly Say[]>;
}

export function makeTeam(file: Partial<TeamFile> = {}): Team {
  return createTeam({
    id: 'review',
    name: 'Review',
    members: [
      { kind: 'human', id: 'max', name: 'Max', role: 'Owner' },
      { kind: 'model', id: 'ana', name: 'Ana', displayName: '安娜', role: 'Reviewer', instructions: 'Be kind.' },
      { kind: 'model', id: 'bob', name: 'Bob', role: 'Tester' },
    ],
    ...file,
  });
}

export async function openTeamBench({
  home = createQuickFolder('team'),
  script = {},
  ...options
}: TeamBenchOptions = {}): Promise<TeamBench> {
  const store = await openStore({ home });
  const storage = new FileSystemStorageService({ home });
  const requests: TeamBench['requests'] = [];
  const createSpeaker = ({ id }: { id: string }): Speaker => {
    const answers = [...(script[id] ?? [`${id} is here.`])];
    return {
      label: `scripted:${id}`,
      async *speak(request) {
        requests.push({ member: id, request });
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) as Say;
        const said = typeof answer === 'string' ? answer : answer(request);
        if (typeof said !== 'string') return yield* said;
        yield { type: 'text-delta', text: said };
        yield { type: 'finish', usage: { outputTokens: 1 } };
      },
    };
  };
  const coordinator = new Coordinator({ store, storage, createSpeaker, ...options });
  const events: TeamEvent[] = [];
  coordinator.listen((event) => void events.push(event));
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await coordinator.stop();
    await store.close();
  };
  onTestFinished(close);
  return {
    home,
    store,
    storage,
    coordinator,
    events,
    requests,
    heard: <Type extends TeamEvent['type']>(type: Type) =>
      events.filter((event): event is TeamEventOf<Type> => event.type === type),
    said: () => (coordinator.context?.messages ?? []).map(({ speaker, content }) => `${speaker.id}: ${content}`),
    close,
  };
}
