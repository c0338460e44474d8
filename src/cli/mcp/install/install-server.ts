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
import { newDocument } from './edit-json.ts';
import { withTable } from './edit-toml.ts';
import { ownCommand } from './own-command.ts';
import { type Change, findEntry, planChange } from './plan-change.ts';
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
  entry: Readonly<Record<string, unknown>> | undefined;
}

const scopes = ['user', 'project'] as const;

export async function installServer(context: Context, name: string | undefined, options: InstallOptions): Promise<number> {
  const client = findClient(context, name);
  const scope = readChoice(context, '--scope', options.scope ?? 'user', scopes);
  const named = findFile(context, client, scope);
  const command = ownCommand(context, options.project);
  if (options.print) return printEntry(context, client, named, command);
  const job = { client, named, scope, entry: options.undo ? undefined : client.entry(command) };
  const file = await readSettingsFile(named);
  const change = await planChange(context, client, file, job.entry);
  if (change.state === 'none') return tellNothing(context, job);
  await agree(context, job, change, options.yes === true);
  await apply(context, job, file);
  await tellDone(context, job, file, change);
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
function printEntry(context: Context, client: McpClient, file: string, command: ServerCommand): number {
  const { output, text, style } = context;
  const entry = client.entry(command);
  output.result({ client: client.name, file, entry, snippet: snippetOf(client, entry) }, () =>
    snippetOf(client, entry).trimEnd(),
  );
  output.note(style.dim(text.mcpInstall.file(plainLine(file))));
  noteClient(context, client, command);
  return exitStatus.ok;
}

function snippetOf(client: McpClient, entry: Readonly<Record<string, unknown>>): string {
  const path = [...client.table, serverName];
  return client.format === 'json' ? newDocument(path, entry) : withTable('', path.join('.'), entry as never);
}

async function agree(context: Context, { client, named, entry }: Job, { state }: Change, isAgreed: boolean): Promise<void> {
  const { output, style } = context;
  const text = context.text.mcpInstall;
  if (isAgreed) return;
  if (!canAsk(context) || output.json) throw tellInstead(new ContinuoError('not-confirmed'), text.needsYes);
  const lines = entry ? ['', ...snippetOf(client, entry).trimEnd().split('\n').map(plainLine)] : [];
  output.warn(
    state === 'add' ? text.willAdd : state === 'remove' ? text.willTakeOut : text.willReplace,
    ...lines.map(style.cyan),
    '',
  );
  if (!(await confirm(text.question(plainLine(named))))) throw tellInstead(new ContinuoError('not-confirmed'), text.declined);
}

/** The file is read again: somebody may have thought about the question for a while. */
async function apply(context: Context, { client, named, scope, entry }: Job, seen: SettingsFile): Promise<void> {
  const file = await readSettingsFile(named);
  if (file.text !== seen.text || file.exists !== seen.exists)
    throw new ContinuoError('config-invalid', { path: file.path, line: 1, reason: context.text.mcpInstall.changed });
  if (entry === undefined) return undo(context, client, file);
  const { state, text } = await planChange(context, client, file, entry);
  const copy = { ...file, path: backupPath(file.path) };
  if (file.text !== undefined && (state === 'add' || (await isOthers(context, client, file))))
    await writeSettingsFile(copy, file.text, scope === 'project');
  await writeSettingsFile(file, text, scope === 'project');
}

/** An entry that is only brought up to date has its copy from the first time, unless there was no file or somebody else wrote it. */
async function isOthers(context: Context, client: McpClient, file: SettingsFile): Promise<boolean> {
  const entry = await findEntry(context, client, file);
  const isAllOurs = entry !== undefined && file.text === snippetOf(client, entry);
  return !isAllOurs && !(await readSettingsFile(backupPath(file.path))).exists;
}

/** Byte for byte what was there before, where nothing else has changed since; else without the entry. */
async function undo(context: Context, client: McpClient, file: SettingsFile): Promise<void> {
  const entry = await findEntry(context, client, file);
  const backup = await readSettingsFile(backupPath(file.path));
  const isNew = entry !== undefined && file.text === snippetOf(client, entry);
  if (isNew && !backup.exists) return removeSettingsFile(file.path);
  const redone = backup.exists ? await planChange(context, client, backup, entry).catch(() => undefined) : undefined;
  // A copy that holds an entry as well does not take it out.
  if (redone?.state === 'add' && redone.text === file.text && backup.text !== undefined) {
    await writeSettingsFile(file, backup.text);
    return removeSettingsFile(backup.path);
  }
  await writeSettingsFile(file, (await planChange(context, client, file, undefined)).text);
}

function tellNothing(context: Context, { client, named, entry }: Job): number {
  const { output, text } = context;
  const say = entry ? text.mcpInstall.present : text.mcpInstall.absent;
  output.done({ client: client.name, file: named, state: 'none', backup: null }, () => say(client.title, plainLine(named)));
  return exitStatus.ok;
}

async function tellDone(context: Context, { client, named, entry }: Job, file: SettingsFile, { state }: Change): Promise<void> {
  const { output, style } = context;
  const text = context.text.mcpInstall;
  const kept = await readSettingsFile(backupPath(file.path));
  const backup = entry && kept.exists ? kept.path : null;
  const say = entry ? text.installed : text.takenOut;
  output.done({ client: client.name, file: named, state, backup }, () => say(client.title, plainLine(named)));
  if (!entry) return;
  if (backup !== null) output.note(style.dim(text.backup(plainLine(backup))));
  output.note(text.check(client.check), ...(client.allow === undefined ? [] : [style.dim(text.allow(client.allow))]));
  output.note(style.dim(text.restart));
  noteClient(context, client, entry);
  const record = await loadHome(context.home).catch(() => undefined);
  if (record?.encryption?.source === 'passphrase') output.note(style.yellow(text.passphrase));
}

function noteClient(
  { output, text }: Context,
  { name }: McpClient,
  server: Readonly<Record<string, unknown>> | ServerCommand,
): void {
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
