// Which sub-agents speak in a session: their events stand among the session's own, so the file is looked through for where they begin.
// Nothing is parsed but these few lines.
import { parseObject, wordIn } from '../fields.ts';
import { cutLines } from '../line-stream.ts';
import { SessionBytes } from '../session-bytes.ts';

const marker = '"subagent.started"';
const mostLineBytes = 1024 * 1024;
const mostAgents = 10_000;

/** A file that cannot be read has none: whoever reads the session meets the reason. */
export async function findSubAgents(path: string, signal?: AbortSignal): Promise<string[]> {
  const agents = new Set<string>();
  try {
    const bytes = await SessionBytes.open(path);
    try {
      for await (const lines of cutLines(bytes.from(0, signal), { place: 0, line: 0, mostBytes: mostLineBytes }))
        for (const line of lines) {
          if (!line.bytes?.includes(marker)) continue;
          const record = parseObject(line.bytes.toString('utf8')) ?? {};
          const agent = record.type === 'subagent.started' ? wordIn(record, 'agentId') : undefined;
          if (agent !== undefined && agents.size < mostAgents) agents.add(agent);
        }
    } finally {
      await bytes.close();
    }
  } catch {
    signal?.throwIfAborted();
  }
  return [...agents];
}
