// Who wrote a summary, kept with it. A marked one stands beside the text for whoever looks back; one without a mark was written by a
// history that had to let the text go, and stands in its place.
import type { JsonObject } from '../../base/json.ts';
import type { Entry } from '../../model/entry.ts';

/** In the conversation's own sentences, by a model, or by who saved the conversation. */
export type SummaryMark = 'extractive' | 'model' | 'given';

const marks: readonly unknown[] = ['extractive', 'model', 'given'] satisfies SummaryMark[];

export function summaryMark(by: SummaryMark): JsonObject {
  return { by };
}

/** Whether the text it stands for is still to be shown. */
export function standsBeside({ meta }: Pick<Entry, 'meta'>): boolean {
  return marks.includes(meta?.by);
}
