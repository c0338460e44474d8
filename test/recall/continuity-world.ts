// A world of the continuity fixture in a real store with its index, and what is recalled where the person stands.
import { basename, join } from 'node:path';
import { ConversationContext } from '../../src/recall/context/conversation-context.ts';
import type { PreparedContext } from '../../src/recall/context/prepare-context.ts';
import { RecallEngine } from '../../src/recall/recall-engine.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
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

/**
 * Everything that was said before, as it was then: each situation has a store of its own. Other worlds may lie beside it in the
 * same store, as if one person had held all of these conversations.
 */
export async function askInWorld(
  world: FixtureWorld,
  situation: FixtureSituation,
  others: readonly FixtureWorld[] = [],
): Promise<Outcome> {
  const now = momentOf(world, situation.at);
  const clock = () => now;
  const worlds = [world, ...others.filter((other) => other !== world)];
  const folder = createQuickFolder('continuity');
  const store = await openSubject('sqlite', join(folder, 'store'), { clock });
  const privateProjects = worlds.flatMap(({ projects }) => projects.filter((each) => each.private).map(({ key }) => key));
  const recall = await RecallEngine.open({ store, folder, clock, privateProjects });
  try {
    const names = new Map<string, string>();
    for (const each of worlds) await fillStore(store, each, { ...situation, at: formatMoment(each, now) }, names);
    await recall.catchUp();
    const context = new ConversationContext({ store, recall, clock, offsetMinutes: world.offsetMinutes, privateProjects });
    await context.startConversation('asking', undefined, { project: situation.in, place: placeOf(world, situation.in) });
    const prepared = await context.prepareContext(situation.says);
    return { situation, recalled: prepared.sources.map(({ conversationId }) => names.get(conversationId) ?? '?'), prepared };
  } finally {
    await recall.close();
    await store.close();
  }
}

async function fillStore(
  store: ConversationStore,
  world: FixtureWorld,
  situation: FixtureSituation,
  names: Map<string, string>,
): Promise<void> {
  for (const conversation of conversationsBefore(world, situation)) {
    const messages = messagesOf(world, conversation);
    const { title, project, excluded } = conversation;
    const { id } = await store.create({
      ...(title !== undefined && { title }),
      project,
      createdAt: momentOf(world, conversation.at),
      meta: { place: placeOf(world, project), ...(excluded && { recall: 'excluded' }) },
    });
    await store.append(
      id,
      messages.map((message) => ({ kind: 'message', ...message })),
    );
    names.set(id, conversation.id);
  }
}

/** The same moment on the clock of another world. */
function formatMoment({ offsetMinutes }: FixtureWorld, moment: number): string {
  return new Date(moment + offsetMinutes * 60_000).toISOString().slice(5, 16).replace('T', ' ');
}

function placeOf(world: FixtureWorld, key: string): { path: string; name: string } {
  const path = world.projects.find((project) => project.key === key)?.path ?? '/';
  return { path, name: basename(path) };
}
