// The hits by conversation. A conversation counts as much as its best hit and a little more for each further one.
import type { ConversationId } from '../../model/id.ts';
import type { RecallGroup, RecallHit } from '../../model/ports/recall.ts';
import { recallWeights } from './weights.ts';

/** Best conversation first; of equals the one with the newer hit. */
export function groupHits(hits: readonly RecallHit[], furtherHit = recallWeights.furtherHit): RecallGroup[] {
  const groups = new Map<ConversationId, RecallGroup>();
  for (const hit of hits) {
    const { conversationId, title, project, agent, at, score } = hit;
    const group = groups.get(conversationId);
    if (group) {
      group.score = Math.round((group.score + (furtherHit * score) / group.hits.length) * 1e6) / 1e6;
      group.at = Math.max(group.at, at);
      group.hits.push(hit);
      continue;
    }
    groups.set(conversationId, {
      conversationId,
      ...(title !== undefined && { title }),
      ...(project !== undefined && { project }),
      ...(agent !== undefined && { agent }),
      at,
      score,
      hits: [hit],
    });
  }
  return [...groups.values()].sort((a, b) => b.score - a.score || b.at - a.at);
}
