// What --json prints for the sessions of other agents; part of json-shapes.ts.

export const transcriptShapes = {
  import: `{
  dryRun: boolean;
  /** The places sessions were found in. */
  found: { agent: string; path: string; sessions: number; bytes: number; new: number; grown: number }[];
  /** Sessions by what came of them; purged: their conversations were purged here (--again takes them back). */
  sources: { created: number; grown: number; unchanged: number; empty: number; trashed: number; purged: number; failed: number };
  entries: number;
  messages: number;
  /** Entries that were stored before. */
  known: number;
  skipped: { reason: SkipReason; what: string; count: number }[];
  /** The first hundred of an agent, at most ten of a file; skipped has the numbers. */
  broken: { type: 'skipped'; reason: SkipReason; what: string; path?: string; line?: number }[];
  failed: { path: string; id: string; code: string; reason: string }[];
  /** What was named and stands for no sessions; the exit code is that of the first. */
  mistaken: { source: string; code: string; message: string }[];
}
type SkipReason = 'harness' | 'repeat' | 'empty' | 'unknown' | 'broken' | 'too-long' | 'link' | 'refused';
// With --watch then a line for each session that grew:
{ agent: string; session: string; path: string; conversation: string; outcome: 'created' | 'grown'; entries: number }`,
  handoff: `{
  agent: string;
  /** The id of the session there. */
  id: string;
  files: string[];
  entries: number;
  /** How many of each kind could not be carried over. */
  lost: { [kind: string]: number };
  /** line is for a shell, with the change of folder where it is needed. */
  resume: { command: string; args: string[]; cwd?: string; line: string } | null;
}`,
  open: `// Nothing is started:
{ agent: string; command: string; args: string[]; cwd?: string; line: string; /** Where the project was. */ movedFrom: string | null }`,
};
