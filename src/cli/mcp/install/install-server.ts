// continuo mcp install: puts the server into the settings of another agent, or takes it out again. Asks first; what the file held before
// is kept beside it; a file that cannot be read is never touched.
import { homedir } from 'node:os';
import { ContinuoError } from '../../../model/error.ts';
import { loadHome } from '../../../store/home.ts';
import type { Context } from '../../context.ts';
import { exitStatus } from '../../exit-codes.ts';
import { tellInstead } from '../../next-step.ts';
import { canAsk } from '../../open-home.ts';
import { readChoice } from '../../option-values.ts';
import { plainLine } from '../../output/plain-text.ts';
import { confirm } from '../../prompt/confirm.ts';
import { readFolder } from '../../recall/read-folder.ts';
import { usageError } from '../../usage-error.ts';
import { type McpClient, mcpClients, type ServerCommand, serverName } from './clients.ts';
import { ownCommand } from './own-command.ts';
import { type Entry, isOwnEntry, isOwnFile, snippetOf } from './own-entry.ts';
import { type Change, findEntry, planChange } from './plan-change.ts';
import { planUndo, type Undo } from './plan-undo.ts';
import { backupPath, readSettingsFile, removeSettingsFile, type SettingsFile, writeSettingsFile } from './settings-file.ts';

export interface InstallOptions {
  project?: string;
  scope?: string;
  print?: boolean;
  undo?: boolean;
  yes?: boolean;
}

interface Job {
  client: McpClient;
  /** As the person names it; it may be a link. */
  named: string;
  scope: 'user' | 'project';
}

const scopes = ['user', 'project'] as const;

export async function installServer(context: Context, name: string | undefined, options: InstallOptions): Promise<number> {
  const client = findClient(context, name);
  const scope = readChoice(context, '--scope', options.scope ?? 'user', scopes);
  const job = { client, named: findFile(context, client, scope), scope };
  if (options.undo) return takeOutServer(context, job, options);
  const command = ownCommand(context, options.project);
  if (options.print) return printEntry(context, job, command);
  return putInServer(context, job, client.entry(command), options.yes === true);
}

async function putInServer(context: Context, job: Job, entry: Entry, isAgreed: boolean): Promise<number> {
  const { client, named } = job;
  const text = context.text.mcpInstall;
  const file = await readSettingsFile(named);
  const { state } = await planChange(context, client, file, entry);
  if (state === 'none') {
    context.output.done({ client: client.name, file: named, state, backup: null }, () =>
      text.present(client.title, plainLine(named)),
    );
    return exitStatus.ok;
  }
  const lines = snippetOf(client, entry).trimEnd().split('\n').map(plainLine).map(context.style.cyan);
  await agree(context, named, isAgreed, [state === 'add' ? text.willAdd : text.willReplace, '', ...lines]);
  await putIn(context, job, await readAgain(context, named, file), entry);
  await tellInstalled(context, job, entry, state);
  return exitStatus.ok;
}

async function takeOutServer(context: Context, job: Job, options: InstallOptions): Promise<number> {
  const { client, named, scope } = job;
  const file = await readSettingsFile(named);
  const undo = await planUndo(context, client, file);
  if (options.print) return printUndo(context, job, file, undo);
  if (undo.state !== 'none') {
    await agree(context, named, options.yes === true, undoLines(context, file, undo));
    await takeBack(await readAgain(context, named, file), undo, scope === 'project');
  }
  const text = context.text.mcpInstall;
  const say = { remove: text.takenOut, restore: text.restored, none: text.absent }[undo.state];
  const backup = undo.copy === 'stays' || undo.copy === 'made' ? backupPath(file.path) : null;
  context.output.done({ client: client.name, file: named, state: undo.state, backup }, () => say(client.title, plainLine(named)));
  if (undo.isLeftInCopy && backup !== null) context.output.warn(text.leftInCopy(plainLine(backup)));
  else if (backup !== null) context.output.note(context.style.dim(text.copyStays(plainLine(backup))));
  return exitStatus.ok;
}

function findClient({ text }: Context, name: string | undefined): McpClient {
  const known = mcpClients.map((client) => client.name).join(', ');
  if (name === undefined) throw usageError(text.mcpInstall.whichClient(known));
  const client = mcpClients.find((each) => each.name === name);
  if (!client) throw usageError(text.mcpInstall.unknownClient(plainLine(name), known));
  return client;
}

function findFile(context: Context, client: McpClient, scope: 'user' | 'project'): string {
  const place = {
    env: context.env,
    home: homedir(),
    folder: scope === 'project' ? readFolder(context, '.') : '',
    platform: process.platform,
  };
  if (scope === 'user') return client.userFile(place);
  if (!client.projectFile) throw usageError(context.text.mcpInstall.noProjectScope(client.title));
  return client.projectFile(place);
}

/** Only shows what would be written: nothing is read and nothing asked. */
function printEntry(context: Context, { client, named: file }: Job, command: ServerCommand): number {
  const { output, text, style } = context;
  const entry = client.entry(command);
  output.result({ client: client.name, file, entry, snippet: snippetOf(client, entry) }, () =>
    snippetOf(client, entry).trimEnd(),
  );
  output.note(style.dim(text.mcpInstall.file(plainLine(file))));
  noteClient(context, client, command);
  return exitStatus.ok;
}

function printUndo(context: Context, { client, named }: Job, file: SettingsFile, undo: Undo): number {
  const { output, text, style } = context;
  const { state } = undo;
  output.result({ client: client.name, file: named, state, text: undo.text }, () =>
    state === 'none' ? text.mcpInstall.absent(client.title, plainLine(named)) : undoLines(context, file, undo),
  );
  output.note(style.dim(text.mcpInstall.file(plainLine(named))));
  return exitStatus.ok;
}

function undoLines(context: Context, { path }: SettingsFile, undo: Undo): string[] {
  const text = context.text.mcpInstall;
  const copy = plainLine(backupPath(path));
  if (undo.copy === 'goes') return [text.willGiveBack(copy)];
  if (undo.text === null) return [text.willRemoveFile];
  if (undo.state === 'restore') return [text.willRestore(copy)];
  return undo.isLeftInCopy ? [text.willTakeOut, text.leftInCopy(copy)] : [text.willTakeOut];
}

async function agree(context: Context, named: string, isAgreed: boolean, lines: readonly string[]): Promise<void> {
  const text = context.text.mcpInstall;
  if (isAgreed) return;
  if (!canAsk(context) || context.output.json) throw tellInstead(new ContinuoError('not-confirmed'), text.needsYes);
  context.output.warn(...lines, '');
  if (!(await confirm(text.question(plainLine(named))))) throw tellInstead(new ContinuoError('not-confirmed'), text.declined);
}

/** Somebody may have thought about the question for a while. */
async function readAgain(context: Context, named: string, seen: SettingsFile): Promise<SettingsFile> {
  const file = await readSettingsFile(named);
  if (file.text === seen.text && file.exists === seen.exists) return file;
  throw new ContinuoError('config-invalid', { path: file.path, line: 1, reason: context.text.mcpInstall.changed });
}

async function putIn(context: Context, { client, scope }: Job, file: SettingsFile, entry: Entry): Promise<void> {
  const { state, text } = await planChange(context, client, file, entry);
  if (file.text !== undefined && (state === 'add' || (await needsCopy(context, client, file))))
    await writeSettingsFile({ ...file, path: backupPath(file.path) }, file.text, scope === 'project');
  await writeSettingsFile(file, text, scope === 'project');
}

/** An entry of ours that is only brought up to date has its copy from the first time, or never needed one. */
async function needsCopy(context: Context, client: McpClient, file: SettingsFile): Promise<boolean> {
  const entry = await findEntry(context, client, file);
  if (!isOwnEntry(entry)) return true;
  return !isOwnFile(client, entry, file.text) && !(await readSettingsFile(backupPath(file.path))).exists;
}

async function takeBack(file: SettingsFile, { text, copy }: Undo, isShared: boolean): Promise<void> {
  const path = backupPath(file.path);
  if (copy === 'made' && file.text !== undefined) await writeSettingsFile({ ...file, path }, file.text, isShared);
  if (text === null) await removeSettingsFile(file.path);
  else await writeSettingsFile(file, text);
  if (copy === 'goes') await removeSettingsFile(path);
}

async function tellInstalled(context: Context, { client, named }: Job, entry: Entry, state: Change['state']): Promise<void> {
  const { output, style } = context;
  const text = context.text.mcpInstall;
  const { path } = await readSettingsFile(named);
  const kept = await readSettingsFile(backupPath(path));
  const backup = kept.exists ? kept.path : null;
  output.done({ client: client.name, file: named, state, backup }, () => text.installed(client.title, plainLine(named)));
  if (backup !== null) output.note(style.dim(text.backup(plainLine(backup))));
  output.note(text.check(client.check), ...(client.allow === undefined ? [] : [style.dim(text.allow(client.allow))]));
  output.note(style.dim(text.restart));
  noteClient(context, client, entry);
  const record = await loadHome(context.home).catch(() => undefined);
  if (record?.encryption?.source === 'passphrase') output.note(style.yellow(text.passphrase));
}

function noteClient({ output, text }: Context, { name }: McpClient, server: Entry | ServerCommand): void {
  if (name === 'pi') output.note(text.mcpInstall.piAdapter);
  if (name !== 'continue') return;
  const { command, args } = server as ServerCommand;
  const lines = [
    'mcpServers:',
    `  - name: ${serverName}`,
    `    command: ${JSON.stringify(command)}`,
    `    args: ${JSON.stringify(args)}`,
  ];
  output.note(text.mcpInstall.continueCli, ...lines);
}
