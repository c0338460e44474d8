// Every command by name. A command's file is loaded when it is called; for help the names and summaries are enough.
import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { Help } from './messages/messages.ts';

export interface CommandModule {
  /** Adds the command's arguments and options. */
  define(command: Command, help: Help): void;
  /** Does the work. The number, if there is one, becomes the exit code. */
  run(context: Context, args: readonly string[], options: never): Promise<number | undefined>;
}

export type CommandGroup = 'talk' | 'agents' | 'order' | 'remove' | 'care';

interface CommandEntry {
  group: CommandGroup;
  /** It works although the settings hold a mistake, because it is there to find or repair one. */
  standsMistakes?: boolean;
  load(): Promise<CommandModule>;
}

export const commandTable = {
  chat: { group: 'talk', load: () => import('./commands/chat.ts') },
  search: { group: 'talk', load: () => import('./commands/search.ts') },
  recall: { group: 'talk', load: () => import('./commands/recall.ts') },
  list: { group: 'talk', load: () => import('./commands/list.ts') },
  show: { group: 'talk', load: () => import('./commands/show.ts') },
  append: { group: 'talk', load: () => import('./commands/append.ts') },
  fork: { group: 'talk', load: () => import('./commands/fork.ts') },
  replay: { group: 'talk', load: () => import('./commands/replay.ts') },
  export: { group: 'talk', load: () => import('./commands/export.ts') },
  import: { group: 'agents', load: () => import('./commands/import.ts') },
  open: { group: 'agents', load: () => import('./commands/open.ts') },
  handoff: { group: 'agents', load: () => import('./commands/handoff.ts') },
  approvals: { group: 'agents', load: () => import('./commands/approvals.ts') },
  code: { group: 'agents', load: () => import('./commands/code.ts') },
  team: { group: 'agents', load: () => import('./commands/team.ts') },
  // A server that tells what is wrong with the settings is of more use than one that does not start.
  mcp: { group: 'agents', standsMistakes: true, load: () => import('./commands/mcp.ts') },
  rename: { group: 'order', load: () => import('./commands/rename.ts') },
  tag: { group: 'order', load: () => import('./commands/tag.ts') },
  pin: { group: 'order', load: () => import('./commands/pin.ts') },
  exclude: { group: 'order', load: () => import('./commands/exclude.ts') },
  projects: { group: 'order', load: () => import('./commands/projects.ts') },
  relink: { group: 'order', load: () => import('./commands/relink.ts') },
  trash: { group: 'remove', load: () => import('./commands/trash.ts') },
  restore: { group: 'remove', load: () => import('./commands/restore.ts') },
  purge: { group: 'remove', load: () => import('./commands/purge.ts') },
  cleanup: { group: 'remove', load: () => import('./commands/cleanup.ts') },
  sweep: { group: 'remove', load: () => import('./commands/sweep.ts') },
  stats: { group: 'care', load: () => import('./commands/stats.ts') },
  doctor: { group: 'care', standsMistakes: true, load: () => import('./commands/doctor.ts') },
  backup: { group: 'care', load: () => import('./commands/backup.ts') },
  'restore-backup': { group: 'care', load: () => import('./commands/restore-backup.ts') },
  embedder: { group: 'care', load: () => import('./commands/embedder.ts') },
  reindex: { group: 'care', load: () => import('./commands/reindex.ts') },
  compress: { group: 'care', load: () => import('./commands/compress.ts') },
  encrypt: { group: 'care', load: () => import('./commands/encrypt.ts') },
  decrypt: { group: 'care', load: () => import('./commands/decrypt.ts') },
  config: { group: 'care', standsMistakes: true, load: () => import('./commands/config.ts') },
} satisfies Record<string, CommandEntry>;

export type CommandName = keyof typeof commandTable;
export const commandNames = Object.keys(commandTable) as CommandName[];

export function isCommandName(text: string): text is CommandName {
  return Object.hasOwn(commandTable, text);
}

export function standsMistakes(name: CommandName): boolean {
  const entry: CommandEntry = commandTable[name];
  return entry.standsMistakes === true;
}

export function loadCommand(name: CommandName): Promise<CommandModule> {
  return commandTable[name].load();
}
