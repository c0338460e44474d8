// A process that saves states of one session, one after the other, and tells each save when it is durable.
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import { childInput, tell } from '../support/child-side.ts';
import { createSnapshot } from '../support/session-snapshots.ts';

export interface SessionChildInput {
  home: string;
  /** The numbers of messages of the states it saves. */
  first: number;
  step: number;
  last: number;
}

export interface SessionChildLine {
  saved?: number;
  outcome?: string;
  failed?: string;
}

const { home, first, step, last } = childInput<SessionChildInput>();
const service = new FileSystemStorageService({ home });
for (let count = first; count <= last; count += step) {
  try {
    const { outcome } = await service.saveSession('review', createSnapshot(count));
    tell({ saved: count, outcome } satisfies SessionChildLine);
  } catch (error) {
    tell({ failed: (error as { code?: string }).code ?? String(error) } satisfies SessionChildLine);
  }
}
