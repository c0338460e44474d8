// The fields several tools have in common, each described for a model.
import * as z from 'zod';
import { Refusal } from '../server-tool.ts';

export const projectField = z
  .string()
  .min(1)
  .max(1000)
  .describe('Only this project: "here" for the present one, or a name, key or folder that list_projects returned.');
export const agentField = z.string().min(1).max(200).describe('Only conversations with this agent, as claude-code or codex.');
export const sinceField = z.string().min(1).max(40).describe('Not older than this: 7d, 12h, or a date like 2026-01-31.');
export const cursorField = z.string().min(1).max(2000).describe('next_cursor of the page before, for the page after it.');

export const conversationShape = z.object({
  conversation_id: z.string(),
  title: z.string().optional(),
  about: z.string().optional().describe('The first words, where there is no title.'),
  project: z.string().optional(),
  project_name: z.string().optional(),
  agent: z.string().optional(),
  tags: z.array(z.string()).optional(),
  started_at: z.string(),
  last_active_at: z.string(),
  entries: z.number().optional(),
});

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The moment a caller means, in milliseconds. */
export function readSince(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const span = /^(\d{1,6})\s*([mhdw])$/.exec(text.trim());
  if (span) return now - Number(span[1]) * units[span[2] as keyof typeof units];
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(moment)) return moment;
  throw new Refusal('since must be a span like 7d or 12h, or a date like 2026-01-31.');
}
