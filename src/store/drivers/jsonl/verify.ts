// Reads every file through and tells what is not as it was written. Names lines by number and changes nothing.
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isContinuoError } from '../../../model/error.ts';
import type { ConversationId } from '../../../model/id.ts';
import type { Problem, Progress, VerifyReport } from '../../../model/ports/store-driver.ts';
import type { CatalogueRow } from './catalogue.ts';
import { coordinationFile } from './coordination.ts';
import { type DraftFile, draftFolder } from './draft-files.ts';
import { type FoundFile, walkFolders } from './folder-walk.ts';
import { decodeLine } from './head.ts';
import type { LineCodec, Metadata } from './line-codec.ts';
import { linesForward } from './line-reader.ts';
import { absolutePath, isKeyedPath, keyedFolder, type LogPath, type LogPaths, unkeyedFolder } from './log-path.ts';
import type { Shelf } from './reconcile.ts';

export interface VerifyContext extends Shelf {
  paths: LogPaths;
  codec: LineCodec;
}

export async function verifyStore(context: VerifyContext, progress?: Progress): Promise<VerifyReport> {
  const report: VerifyReport = { conversations: 0, entries: 0, problems: [] };
  checkCoordination(context, report.problems);
  for (const path of ['.', unkeyedFolder, keyedFolder]) checkMode(context.folder, path, report.problems);
  const found = [...walkFolders(context.folder)];
  const seen = new Map<ConversationId, LogPath>();
  let done = 0;
  for (const file of found) {
    await verifyFile(file, context, seen, report);
    progress?.(++done, found.length);
  }
  checkMode(context.folder, draftFolder, report.problems);
  for (const file of context.drafts.files()) verifyDraft(file, context, report.problems);
  return report;
}

/** One that is being written, or was not written to its end, looks the same as a damaged one. */
function verifyDraft({ path, id }: DraftFile, context: VerifyContext, problems: Problem[]): void {
  const { folder, drafts, catalogue } = context;
  if (id === undefined) return void problems.push({ code: 'unexpected-file', file: path, detail: 'not a file of this store' });
  checkMode(folder, path, problems);
  const conversation = catalogue.findById(id);
  if (!conversation) problems.push({ code: 'unexpected-file', file: path, detail: 'a draft whose conversation is not here' });
  else if (drafts.isTorn(path, id)) {
    const detail = 'a draft that was not written to its end';
    problems.push({ code: 'torn-tail', conversationId: id, file: path, detail });
  }
}

async function verifyFile(file: FoundFile, context: VerifyContext, seen: Map<ConversationId, LogPath>, report: VerifyReport) {
  const { path, kind } = file;
  const { folder, codec, paths } = context;
  const tell = (problem: Omit<Problem, 'file'>) => report.problems.push({ ...problem, file: path });
  if (kind === 'link') tell({ code: 'unexpected-file', detail: 'a symbolic link; it is never followed' });
  else if (kind === 'other') tell({ code: 'unexpected-file', detail: 'not a file of this store' });
  else checkMode(folder, path, report.problems);
  if (kind !== 'log') return;

  const opened = await openQuiet(context, path);
  // Removed while the others were being read.
  if (!opened) return;
  try {
    const findings = await readThrough(opened.fd, opened.size, codec);
    const { metadata, entries, damaged, torn } = findings;
    const conversationId = metadata?.conversation.id;
    const about = conversationId === undefined ? {} : { conversationId };
    for (const line of damaged) tell({ code: 'damaged-record', ...about, line, detail: 'the line is not what was written' });
    if (torn) tell({ code: 'torn-tail', ...about, line: torn.line, detail: torn.detail });
    report.entries += entries;
    if (!metadata || conversationId === undefined) {
      const isEmpty = opened.size === 0;
      if (isEmpty && !opened.row) tell({ code: 'torn-tail', detail: 'a conversation whose making was cut off; it never was' });
      else if (opened.row || !torn || damaged.length > 0)
        tell({ code: 'file-damaged', detail: 'no line with its metadata can be read' });
      return;
    }
    const expectedPath = isKeyedPath(path) ? paths.forConversation(metadata.conversation) : paths.forId(conversationId);
    if (expectedPath !== path)
      return tell({ code: 'file-damaged', ...about, detail: 'its name belongs to another conversation' });
    const other = seen.get(conversationId);
    if (other !== undefined) return tell({ code: 'unexpected-file', ...about, detail: `the same conversation is in ${other}` });
    seen.set(conversationId, path);
    report.conversations += 1;
    checkCount(opened, findings, metadata, tell);
  } finally {
    closeSync(opened.fd);
  }
}

interface Findings {
  metadata: Metadata | undefined;
  entries: number;
  lastSeq: number;
  /** Numbers of the lines that cannot be read, counted from 1. */
  damaged: number[];
  torn: { line: number; detail: string } | undefined;
}

async function readThrough(fd: number, size: number, codec: LineCodec): Promise<Findings> {
  const findings: Findings = { metadata: undefined, entries: 0, lastSeq: 0, damaged: [], torn: undefined };
  let number = 0;
  let position = 0;
  for (const raw of linesForward(fd, 0, size)) {
    number += 1;
    if (raw.end - position > 4 * 1024 * 1024) {
      position = raw.end;
      await nextTurn();
    }
    const line = decodeLine(raw, codec);
    if (!raw.terminated) {
      const detail = line
        ? 'the last line lacks its end; the next append adds it'
        : 'the last line is cut off; the next append removes it';
      findings.torn = { line: number, detail };
    }
    if (line?.kind === 'metadata') findings.metadata = line.metadata;
    else if (line && line.record.seq > findings.lastSeq) {
      findings.entries += 1;
      findings.lastSeq = line.record.seq;
    } else if (raw.terminated) findings.damaged.push(number);
  }
  return findings;
}

/** Whether as much is there as was acknowledged, less what ttl policies took and what is named as damaged already. */
function checkCount(
  { row, size }: OpenedLog,
  { entries, lastSeq: found, damaged, torn }: Findings,
  { conversation, base, removed, rewrites }: Metadata,
  tell: (problem: Omit<Problem, 'file'>) => void,
): void {
  const { id: conversationId, lastSeq: noted } = conversation;
  const known = row?.id === conversationId ? row : undefined;
  const lastSeq = Math.max(found, noted, known?.lastSeq ?? 0);
  const expected = lastSeq - base - removed;
  const missing = expected - entries;
  if (missing < 0) {
    tell({ code: 'count-mismatch', conversationId, detail: `${entries} entries, but its metadata accounts for ${expected}` });
  }
  if (missing > damaged.length) {
    tell({
      code: 'missing-entries',
      conversationId,
      detail: `${missing - damaged.length} of ${expected} entries are not in the file`,
    });
  } else if (known && known.rewrites === rewrites && known.size > size && !torn && damaged.length === 0) {
    tell({
      code: 'missing-entries',
      conversationId,
      detail: `the last ${known.size - size} bytes are gone: a change of its metadata`,
    });
  }
}

interface OpenedLog {
  fd: number;
  size: number;
  /** What the catalogue says about the file. */
  row: CatalogueRow | undefined;
}

/** The file at a moment when nobody is writing to it. */
function openQuiet({ coordination, catalogue, folder }: VerifyContext, path: LogPath): Promise<OpenedLog | undefined> {
  return coordination.locked(() => {
    try {
      const fd = openSync(absolutePath(folder, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      return { fd, size: fstatSync(fd).size, row: catalogue.findByPath(path) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  });
}

function checkMode(folder: string, path: LogPath, problems: Problem[]): void {
  if (process.platform === 'win32') return;
  const status = lstatSync(absolutePath(folder, path), { throwIfNoEntry: false });
  if (!status || (status.mode & 0o077) === 0) return;
  const mode = (status.mode & 0o777).toString(8);
  problems.push({ code: 'loose-permissions', file: path, detail: `other users have rights to ${basename(path)} (mode ${mode})` });
}

function checkCoordination({ coordination, folder }: VerifyContext, problems: Problem[]): void {
  checkMode(folder, coordinationFile, problems);
  let detail: unknown;
  try {
    detail = coordination.reader.pragma('quick_check', { simple: true });
  } catch (error) {
    if (isContinuoError(error)) throw error;
    detail = (error as Error).message;
  }
  if (detail !== 'ok') problems.push({ code: 'file-damaged', file: coordinationFile, detail: String(detail) });
}
