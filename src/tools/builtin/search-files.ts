// search_files: lines that hold a text or fit a regular expression, in the files that list_files would show. Limits: files up to
// 10 MB, 2 seconds for a regular expression in one file, 20 seconds in all, so many matches as asked for; each limit that is met is
// said. Files that often hold secrets are searched only where one is named itself, since only then was somebody asked.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { Tool, ToolOutcome } from '../../model/ports/tool.ts';
import { defineTool, toFileError } from './define-tool.ts';
import { wholeFileSize } from './file-change.ts';
import { createGlobFilter } from './glob.ts';
import {
  createLiteralMatcher,
  createPatternMatcher,
  findPatternFault,
  type LineMatch,
  type LineMatcher,
} from './line-matcher.ts';
import { openForReading } from './project-file.ts';
import { listProjectFiles } from './project-file-list.ts';
import type { Place, ProjectPaths } from './project-paths.ts';
import { findSecretPlace } from './secret-place.ts';
import { decodeText } from './text-encoding.ts';
import { splitLines } from './text-lines.ts';
import { folderSchema, globSchema } from './tool-schemas.ts';

const defaultLimit = 100;
const secondsInAll = 20;
const shownLength = 300;

const schema = z
  .strictObject({
    query: z.string().min(1).max(1000).describe('What to look for, within one line.'),
    regular_expression: z.boolean().optional().describe('The query is a JavaScript regular expression, not literal text.'),
    ignore_case: z.boolean().optional().describe('Upper and lower case are the same.'),
    path: folderSchema.optional(),
    glob: globSchema.optional(),
    context: z.int().min(0).max(20).optional().describe('How many lines to show before and after each match; 0 if left out.'),
    limit: z.int().min(1).max(1000).optional().describe(`How many matching lines at most; ${defaultLimit} if left out.`),
  })
  .check(({ value, issues }) => {
    const fault = value.regular_expression ? findPatternFault(value.query) : undefined;
    if (fault !== undefined) issues.push({ code: 'custom', message: fault, path: ['query'], input: value.query });
  });

type Input = z.infer<typeof schema>;

export function createSearchFiles(paths: ProjectPaths): Tool {
  return defineTool({
    name: 'search_files',
    description:
      'Searches the lines of text files below a folder (or of one file) for a text or a regular expression. Files that git ignores are left out.',
    schema,
    access: ({ path = '.', query }) =>
      paths.askToRead(path, (name) => `search ${name} for ${JSON.stringify(query.slice(0, 80))}`),
    run: async (input, { signal }) => {
      const place = await paths.forReading(input.path ?? '.');
      const ignoreCase = input.ignore_case ?? false;
      const matcher = input.regular_expression
        ? createPatternMatcher(input.query, ignoreCase)
        : createLiteralMatcher(input.query, ignoreCase);
      try {
        return await search(place, input, matcher, signal);
      } catch (error) {
        throw signal.aborted ? error : toFileError(error, place.name);
      } finally {
        await matcher.close();
      }
    },
  });
}

interface Findings {
  sections: string[];
  matches: number;
  files: number;
  searched: number;
  /** What was not looked at, and why; said at the end. */
  notes: Set<string>;
  skipped: { large: number; secret: number; unreadable: number };
}

async function search(place: Place, input: Input, matcher: LineMatcher, signal: AbortSignal): Promise<ToolOutcome> {
  const limit = input.limit ?? defaultLimit;
  const skipped = { large: 0, secret: 0, unreadable: 0 };
  const findings: Findings = { sections: [], matches: 0, files: 0, searched: 0, notes: new Set(), skipped };
  const deadline = Date.now() + secondsInAll * 1000;
  for await (const { real, name } of filesToSearch(place, input, findings, signal)) {
    signal.throwIfAborted();
    if (Date.now() > deadline) {
      findings.notes.add(`stopped after ${secondsInAll} seconds; narrow it down with path or glob`);
      break;
    }
    const lines = await readLines(real, findings, real === place.real);
    if (!lines) continue;
    const matches = await matchLines(name, lines, limit - findings.matches + 1, matcher, signal);
    if (matches.length === 0) continue;
    const shown = matches.slice(0, limit - findings.matches);
    if (shown.length > 0) {
      findings.files += 1;
      findings.matches += shown.length;
      findings.sections.push(`${name}\n${formatMatches(lines, shown, input.context ?? 0)}`);
    }
    if (shown.length < matches.length) {
      findings.notes.add(`there are more matches than ${limit}; narrow it down, or give a higher limit`);
      break;
    }
  }
  return toOutcome(place, input, findings);
}

async function* filesToSearch(
  place: Place,
  input: Input,
  findings: Findings,
  signal: AbortSignal,
): AsyncGenerator<{ real: string; name: string }> {
  if ((await stat(place.real)).isFile()) {
    yield { real: place.real, name: place.name };
    return;
  }
  const fits = input.glob === undefined ? () => true : createGlobFilter(input.glob);
  const list = await listProjectFiles(place.real, signal);
  if (!list.complete) findings.notes.add('there are more files than were looked at');
  const prefix = place.name === '.' ? '' : `${place.name.replace(/\/$/, '')}/`;
  for (const path of list.paths) {
    if (!fits(path)) continue;
    // In a folder that was asked about itself, only what is more secret than the folder is left out.
    if (place.secret === undefined && findSecretPlace(path.split('/')) !== undefined) findings.skipped.secret += 1;
    else yield { real: join(place.real, path), name: prefix + path };
  }
}

/** Undefined for what is not searched: pictures, binaries, links, and files that are too large or cannot be read. */
async function readLines(real: string, findings: Findings, isNamed: boolean): Promise<string[] | undefined> {
  try {
    const handle = await openForReading(real);
    try {
      if ((await handle.stat()).size > wholeFileSize) {
        findings.skipped.large += 1;
        return undefined;
      }
      const text = decodeText(await handle.readFile())?.text;
      findings.searched += 1;
      return text === undefined ? undefined : splitLines(text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isNamed) throw error;
    const { code } = error as { code?: string };
    // Links, folders of other repositories, and what went away meanwhile.
    const expected = code === 'unsafe-path' || code === 'ELOOP' || code === 'ENOENT' || isContinuoError(error, 'io-failed');
    if (!expected) findings.skipped.unreadable += 1;
    return undefined;
  }
}

async function matchLines(
  name: string,
  lines: readonly string[],
  limit: number,
  matcher: LineMatcher,
  signal: AbortSignal,
): Promise<LineMatch[]> {
  try {
    return await matcher.match(lines, limit, signal);
  } catch (error) {
    if (!isContinuoError(error, 'timeout')) throw error;
    throw new ContinuoError('timeout', { ...error.details, what: `${error.details.what} in ${name}` }, { cause: error });
  }
}

function formatMatches(lines: readonly string[], matches: readonly LineMatch[], context: number): string {
  const byLine = new Map(matches.map((match) => [match.line, match]));
  const parts: string[] = [];
  let last = -1;
  for (const { line } of matches) {
    const from = Math.max(line - context, last + 1);
    if (context > 0 && last >= 0 && from > last + 1) parts.push('--');
    const to = Math.min(line + context, lines.length - 1);
    for (let i = from; i <= to; i++) {
      const match = byLine.get(i);
      parts.push(`${i + 1}${match ? ':' : '-'} ${cutAround(lines[i] as string, match?.column ?? 0)}`);
    }
    last = Math.max(last, to);
  }
  return parts.join('\n');
}

/** The part of a long line around a column. */
function cutAround(line: string, column: number): string {
  if (line.length <= shownLength) return line;
  const from = Math.max(0, Math.min(column - 100, line.length - shownLength));
  const part = line.slice(from, from + shownLength).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + shownLength < line.length ? '…' : ''}`;
}

function toOutcome(place: Place, input: Input, findings: Findings): ToolOutcome {
  const { sections, matches, files, searched, notes, skipped } = findings;
  if (skipped.large > 0) notes.add(`${skipped.large} files over 10 MB were not searched`);
  if (skipped.secret > 0) notes.add(`${skipped.secret} files that often hold secrets were not searched`);
  if (skipped.unreadable > 0) notes.add(`${skipped.unreadable} files could not be read`);
  const found = sections.length > 0 ? sections.join('\n\n') : `Nothing in ${place.name} matches ${JSON.stringify(input.query)}.`;
  const lastLine = [`${matches} matching lines in ${files} of ${searched} files`, ...notes].join('; ');
  return { text: `${found}\n(${lastLine})`, output: { matches, files, searched, complete: notes.size === 0 } };
}
