// Counts over conversations, for drivers that hold them as objects.
import type { Conversation } from '../model/conversation.ts';
import type { DriverStats } from '../model/ports/store-driver.ts';

export type ConversationCounts = Omit<DriverStats, 'entries' | 'bytesOnDisk'>;

export function summarize(all: Iterable<Conversation>): ConversationCounts {
  const counts = { conversations: 0, trashed: 0, pinned: 0 };
  const byAgent = new Map<string, number>();
  const byProject = new Map<string, number>();
  for (const { agent, project, trashedAt, pinned } of all) {
    counts.conversations += 1;
    if (trashedAt !== undefined) counts.trashed += 1;
    if (pinned) counts.pinned += 1;
    if (agent !== undefined) byAgent.set(agent, (byAgent.get(agent) ?? 0) + 1);
    if (project !== undefined) byProject.set(project, (byProject.get(project) ?? 0) + 1);
  }
  return { ...counts, byAgent: ranked(byAgent), byProject: ranked(byProject) };
}

function ranked(counts: Map<string, number>): { name: string; conversations: number }[] {
  return [...counts]
    .map(([name, conversations]) => ({ name, conversations }))
    .sort((a, b) => b.conversations - a.conversations || (a.name < b.name ? -1 : 1));
}
