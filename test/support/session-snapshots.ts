// Session snapshots for tests.
import type { SessionSnapshot } from '../../src/snapshot/session-snapshot.ts';

export function createSnapshot(messageCount: number, more: Partial<SessionSnapshot> = {}): SessionSnapshot {
  const at = (index: number) => new Date(Date.UTC(2025, 10, 25, 14) + index * 1000).toISOString();
  const messages = Array.from({ length: messageCount }, (_, index) => ({
    id: `m${index + 1}`,
    timestamp: at(index),
    speaker: { id: index % 2 === 0 ? 'kai' : 'max', name: index % 2 === 0 ? 'Kai' : 'Max', type: 'ai' as const },
    content: `message ${index + 1}: 你好 "quoted" \n second line`,
  }));
  const lastSpeakerId = messages.at(-1)?.speaker.id;
  return {
    schemaVersion: '1.0',
    teamId: 'review',
    sessionId: 'ses_1',
    createdAt: at(0),
    updatedAt: at(messageCount),
    context: { teamTask: 'Review the parser', messages },
    metadata: { ...(lastSpeakerId === undefined ? {} : { lastSpeakerId }), messageCount, summary: 'about the parser' },
    ...more,
  };
}
