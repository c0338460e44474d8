// Worlds of the continuity fixture in a real store with its index, and what is recalled where the person stands.
import { basename, join } from 'node:path';
import { ConversationContext } from '../../src/recall/context/conversation-context.ts';
import type { PreparedContext } from '../../src/recall/context/prepare-context.ts';
import { openStaticEmbedder } from '../../src/recall/embedders/static.ts';
import { RecallEngine } from '../../src/recall/recall-engine.ts';
import { openSubject } from '../support/store-subjects.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';
import type { WorldSituation } from './continuity-fixture/continuity-fixture.ts';
import {
  conversationsBefore,
  type FixtureConversation,
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

/** With the model that comes with the package, as it is shipped, or by words alone. */
export type Means = 'words and meaning' | 'words alone';

/** Everything that was said before, as it was then: each situation has a store of its own. */
export async function askInWorld({ world, situation }: WorldSituation, means: Means): Promise<Outcome> {
  const said = conversationsBefore(world, situation).map((conversation) => ({ world, conversation }));
  const [outcome] = await askAll(said, momentOf(world, situation.at), [{ world, situation }], means);
  return outcome as Outcome;
}

/** All worlds in one store, as if one person had held all of these conversations, and everything asked on the day after. */
export async function askAmongAll(
  worlds: readonly FixtureWorld[],
  situations: readonly WorldSituation[],
  means: Means,
): Promise<Outcome[]> {
  const said = worlds.flatMap((world) => world.conversations.map((conversation) => ({ world, conversation })));
  const last = Math.max(...said.map(({ world, conversation }) => momentOf(world, conversation.at)));
  return askAll(said, last + 24 * 60 * 60_000, situations, means);
}

async function askAll(
  said: readonly { world: FixtureWorld; conversation: FixtureConversation }[],
  now: number,
  situations: readonly WorldSituation[],
  means: Means,
): Promise<Outcome[]> {
  const clock = () => now;
  const folder = createQuickFolder('continuity');
  const store = await openSubject('sqlite', join(folder, 'store'), { clock });
  const privateProjects = said.flatMap(({ world }) => world.projects.filter((each) => each.private).map(({ key }) => key));
  const embedder = means === 'words alone' ? {} : { embedder: await openStaticEmbedder() };
  const recall = await RecallEngine.open({ store, folder, clock, privateProjects, ...embedder });
  try {
    const names = new Map<string, string>();
    for (const { world, conversation } of said) {
      const { title, project, excluded } = conversation;
      const { id } = await store.create({
        ...(title !== undefined && { title }),
        project,
        createdAt: momentOf(world, conversation.at),
        meta: { place: placeOf(world, project), ...(excluded && { recall: 'excluded' }) },
      });
      const messages = messagesOf(world, conversation).map((message) => ({ kind: 'message' as const, ...message }));
      await store.append(id, messages);
      names.set(id, conversation.id);
    }
    await recall.catchUp();
    const outcomes: Outcome[] = [];
    for (const { world, situation } of situations) {
      const context = new ConversationContext({ store, recall, clock, offsetMinutes: world.offsetMinutes, privateProjects });
      const place = placeOf(world, situation.in);
      await context.startConversation(`asks ${situation.id}`, undefined, { project: situation.in, place });
      const prepared = await context.prepareContext(situation.says);
      const recalled = prepared.sources.map(({ conversationId }) => names.get(conversationId) ?? '?');
      outcomes.push({ situation, recalled, prepared });
    }
    return outcomes;
  } finally {
    await recall.close();
    await store.close();
  }
}

function placeOf(world: FixtureWorld, key: string): { path: string; name: string } {
  const path = world.projects.find((project) => project.key === key)?.path ?? '/';
  return { path, name: basename(path) };
}
