// The command line as commander knows it: options every command has, a line of help for each command, and the full definition of
// those that are asked for. Help is written in the user's language and wrapped for scripts without spaces.
import { stripVTControlCharacters } from 'node:util';
import { Command, Help as CommanderHelp } from 'commander';
import packageRecord from '../../package.json' with { type: 'json' };
import { type CommandModule, type CommandName, commandNames, commandTable, loadCommand } from './command-table.ts';
import { addGlobalOptions } from './global-flags.ts';
import type { Help, Messages } from './messages/messages.ts';
import { createStyle, type Style } from './output/style.ts';
import { commonRuler } from './output/text-ruler.ts';
import { wrapText } from './output/wrap-text.ts';

export interface ProgramOptions {
  text: Messages;
  style?: Style;
  columns?: number;
  /** The one command that matters, where that is known: the others then cost nothing. */
  only?: CommandName;
}

export interface Program {
  root: Command;
  /** Loads a command and makes it known in full. */
  define(name: CommandName): Promise<{ module: CommandModule; command: Command }>;
}

export function createProgram({ text, style = createStyle(false), columns = 100, only }: ProgramOptions): Program {
  const { help } = text;
  const root = new Command('continuo');
  root.usage(help.usageRoot).description(help.description).helpOption('-h, --help', help.global.help);
  root.addHelpCommand(new Command('help').argument('[command]').description(help.helpCommand).helpGroup(help.groups.care));
  root.version(packageRecord.version, '-V, --version', help.global.version);
  root.exitOverride().configureOutput({ outputError: () => undefined, getOutHelpWidth: () => columns });
  root.configureHelp(localizedHelp(text, style));
  root.addHelpText('after', examplesText(help.examples, text, style));
  addGlobalOptions(root, help.global);
  const stubs = new Map<CommandName, Command>();
  for (const name of only === undefined ? commandNames : [only]) {
    const stub = root.command(name);
    stub
      .summary(help.commands[name].summary)
      .description(help.commands[name].description)
      .helpGroup(help.groups[commandTable[name].group]);
    stub.helpOption('-h, --help', help.global.help);
    stubs.set(name, stub);
  }
  return { root, define };

  async function define(name: CommandName) {
    const command = stubs.get(name) as Command;
    const module = await loadCommand(name);
    module.define(command, help);
    command.addHelpText('after', `${examplesText(help.commands[name].examples, text, style)}\n\n${help.moreOptions}`);
    return { module, command };
  }
}

function localizedHelp({ help }: Messages, style: Style): Partial<CommanderHelp> {
  const titles: Readonly<Record<string, string>> = {
    'Usage:': help.titles.usage,
    'Options:': help.titles.options,
    'Arguments:': help.titles.arguments,
    'Commands:': help.titles.commands,
  };
  return {
    styleTitle: (title) => style.bold(titles[title] ?? title),
    styleCommandText: style.cyan,
    styleSubcommandTerm: style.cyan,
    styleOptionTerm: style.cyan,
    styleArgumentTerm: style.cyan,
    subcommandTerm: (command) => command.name(),
    displayWidth: (text) => commonRuler.width(stripVTControlCharacters(text)),
    boxWrap: (text, width) => wrapText(text, width, commonRuler),
    commandUsage: (command) =>
      new CommanderHelp().commandUsage(command).replace('[options]', help.optionsWord).replace('[command]', help.commandWord),
  };
}

function examplesText(examples: Help['examples'], { help }: Messages, style: Style): string {
  const lines = examples.map(({ command, means }) => `  ${style.dim('$')} ${command}\n      ${style.dim(means)}`);
  return `\n${style.bold(help.titles.examples)}\n${lines.join('\n')}`;
}
