// A world of the continuity fixture in a real store, and what is recalled where the person stands.
import { basename, join } from 'node:path';
import { ConversationContext } from '../../src/recall/context/conversation-context.ts';
import type { PreparedContext } from '../../src/recall/context/prepare-context.ts';
import { createScanRecall } from '../../src/recall/scan-recall.ts';
import { openSubject } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import {
  conversationsBefore,
  type FixtureSituation,
  type FixtureWorld,
  messagesOf,
  momentOf,
} from './continuity-fixture/world.ts';

export interface Outcome {
  situation: FixtureSituation;
  /** The fixture's names of the conversations that are quoted, best first. */
  recalled: string[];
  prepared: PreparedContext;
}

/** Everything that was said before, as it was then: each situation has a store of its own. */
export async function askInWorld(world: FixtureWorld, situation: FixtureSituation): Promise<Outcome> {
  const now = momentOf(world, situation.at);
  const clock = () => now;
  const store = await openSubject('sqlite', join(createQuickFolder('continuity'), 'store'), { clock });
  try {
    const names = new Map<string, string>();
    for (const conversation of conversationsBefore(world, situation)) {
      const messages = messagesOf(world, conversation);
      const { title, project, excluded } = conversation;
      const { id } = await store.create({
        ...(title !== undefined && { title }),
        project,
        createdAt: messages[0]?.at ?? now,
        meta: { place: placeOf(world, project), ...(excluded && { recall: 'excluded' }) },
      });
      await store.append(
        id,
        messages.map((message) => ({ kind: 'message', ...message })),
      );
      names.set(id, conversation.id);
    }
    const context = new ConversationContext({
      store,
      recall: createScanRecall(store, { clock }),
      clock,
      offsetMinutes: world.offsetMinutes,
      privateProjects: world.projects.filter((project) => project.private).map(({ key }) => key),
    });
    await context.startConversation('asking', undefined, { project: situation.in, place: placeOf(world, situation.in) });
    const prepared = await context.prepareContext(situation.says);
    return { situation, recalled: prepared.sources.map(({ conversationId }) => names.get(conversationId) ?? '?'), prepared };
  } finally {
    await store.close();
  }
}

function placeOf(world: FixtureWorld, key: string): { path: string; name: string } {
  const path = world.projects.find((project) => project.key === key)?.path ?? '/';
  return { path, name: basename(path) };
}
