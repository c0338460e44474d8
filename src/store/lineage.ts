// A fork shares its origin's entries instead of copying them. The lineage says which stretch of positions lives where.
import type { Conversation } from '../model/conversation.ts';
import type { ConversationId } from '../model/id.ts';
import type { EntryRecord, StoreDriver } from '../model/ports/store-driver.ts';

/** Positions `after < seq <= upTo` are entries of `id`. Oldest stretch first; the last one is the conversation's own and open-ended. */
export interface Stretch {
  id: ConversationId;
  after: number;
  upTo: number;
}

export type Lineage = readonly Stretch[];

export interface LineageRange {
  after: number;
  before: number;
  limit: number;
  order: 'forward' | 'backward';
}

export interface PlacedRecord {
  conversationId: ConversationId;
  record: EntryRecord;
}

/** Follows the chain of origins. `lineageOf` gives the origin's own lineage (cached by the caller: it never changes). */
export async function buildLineage(
  conversation: Conversation,
  lineageOf: (id: ConversationId) => Promise<Lineage>,
): Promise<Lineage> {
  const origin = conversation.forkedFrom;
  if (!origin) return [{ id: conversation.id, after: 0, upTo: Number.POSITIVE_INFINITY }];
  const shared = clip(await lineageOf(origin.id), origin.seq);
  return [...shared, { id: conversation.id, after: origin.seq, upTo: Number.POSITIVE_INFINITY }];
}

/** The stretch a position belongs to. */
export function stretchOf(lineage: Lineage, seq: number): Stretch | undefined {
  return lineage.find((stretch) => seq > stretch.after && seq <= stretch.upTo);
}

/** Reads a window across the stretches, in the order asked for. */
export async function readLineage(driver: StoreDriver, lineage: Lineage, range: LineageRange): Promise<PlacedRecord[]> {
  const found: PlacedRecord[] = [];
  const stretches = range.order === 'forward' ? lineage : lineage.toReversed();
  for (const stretch of stretches) {
    const limit = range.limit - found.length;
    if (limit <= 0) break;
    const after = Math.max(range.after, stretch.after);
    const before = Math.min(range.before, stretch.upTo + 1);
    if (before - after <= 1) continue;
    const records = await driver.readEntries(stretch.id, { after, before, limit, order: range.order });
    for (const record of records) found.push({ conversationId: stretch.id, record });
  }
  return found;
}

function clip(lineage: Lineage, upTo: number): Stretch[] {
  return lineage.filter((stretch) => stretch.after < upTo).map((stretch) => ({ ...stretch, upTo: Math.min(stretch.upTo, upTo) }));
}
