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
  root.configureHelp(localizedHelp(text, style, columns));
  root.addHelpText('after', examplesText(help.examples, text, style, columns));
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
    command.addHelpText(
      'after',
      `${examplesText(help.commands[name].examples, text, style, columns)}\n\n${wrapText(help.moreOptions, columns, commonRuler)}`,
    );
    return { module, command };
  }
}

function localizedHelp({ help }: Messages, style: Style, columns: number): Partial<CommanderHelp> {
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
    formatItem,
    commandUsage: (command) => {
      const usage = new CommanderHelp().commandUsage(command);
      const spoken = usage.replace('[options]', help.optionsWord).replace('[command]', help.commandWord);
      const title = commonRuler.width(help.titles.usage) + 1;
      return indentRest(wrapText(spoken, Math.max(1, columns - title), commonRuler), title);
    },
  };
}

/** A term with its description beside it, or below it where there is no room beside it. */
function formatItem(this: CommanderHelp, term: string, termWidth: number, description: string, helper: CommanderHelp): string {
  const columns = this.helpWidth ?? 80;
  const room = columns - termWidth - itemIndent - itemGap;
  if (room >= leastBeside || description === '') {
    const padding = ' '.repeat(Math.max(0, termWidth - helper.displayWidth(term)) + itemGap);
    const beside = indentRest(helper.boxWrap(description, room), termWidth + itemIndent + itemGap);
    return `${' '.repeat(itemIndent)}${term}${description === '' ? '' : padding + beside}`;
  }
  const wrapped = wrapText(term, columns - itemIndent, { ...commonRuler, width: helper.displayWidth });
  const below = helper.boxWrap(description, columns - belowIndent);
  return `${' '.repeat(itemIndent)}${indentRest(wrapped, itemIndent)}\n${' '.repeat(belowIndent)}${indentRest(below, belowIndent)}`;
}

const itemIndent = 2;
const itemGap = 2;
const belowIndent = 6;
const leastBeside = 24;

function indentRest(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`);
}

function examplesText(examples: Help['examples'], { help }: Messages, style: Style, columns: number): string {
  const wrap = (text: string, indent: number) => indentRest(wrapText(text, Math.max(1, columns - indent), commonRuler), indent);
  const lines = examples.map(
    ({ command, means }) => `  ${style.dim('$')} ${command}\n      ${style.dim(wrap(means, belowIndent))}`,
  );
  return `\n${style.bold(help.titles.examples)}\n${lines.join('\n')}`;
}
