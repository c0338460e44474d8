// One run of the program, from the words after its name to the exit code. Doors translate errors once: here.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { CommanderError } from 'commander';
import { type Config, type ConfigSources, configWithoutFile, loadConfig } from '../config/load-config.ts';
import { ContinuoError } from '../model/error.ts';
import { Cleanups } from './cleanups.ts';
import { type CommandModule, isCommandName, standsMistakes } from './command-table.ts';
import type { Context } from './context.ts';
import { reportError } from './error-report.ts';
import { exitStatus } from './exit-codes.ts';
import { type GlobalFlags, operandsOf, scanGlobalFlags } from './global-flags.ts';
import { Interrupted } from './interrupted.ts';
import { chooseLanguage, languageOf } from './language.ts';
import { loadMessages } from './messages/load-messages.ts';
import { findCure, findInstead } from './next-step.ts';
import { Output } from './output/output.ts';
import { createStyle, type Style, wantsColor } from './output/style.ts';
import { createProgram } from './program.ts';
import { handleOutputFaults, handleSignals } from './signals.ts';

/** How wide help is where nothing says how wide the output is. */
const widthWithoutTerminal = 100;

export async function runCommandLine(program: NodeJS.Process): Promise<number> {
  const words = program.argv.slice(2);
  const flags = scanGlobalFlags(words);
  const cleanups = new Cleanups();
  const leaving = handleSignals(program, cleanups);
  const home = resolve(flags.home || program.env.CONTINUO_HOME || join(homedir(), '.continuo'));
  const settings = await loadSettings(configSources(home, flags, program.env));
  const text = await loadMessages(chooseLanguage(settings.config, program.env));
  const choice = { flag: flags.color, setting: settings.config['cli.color'].value ?? 'auto' } as const;
  const { stdin, stdout, stderr, env } = program;
  const styleOf = (stream: NodeJS.WriteStream) => createStyle(wantsColor(choice, env, stream.isTTY === true));
  const columns = stdout.columns ?? (Number(env.COLUMNS) || undefined);
  const context: Context = {
    home,
    env,
    flags,
    text,
    style: styleOf(stdout),
    output: new Output({ stdout, stderr, json: flags.json === true, quiet: flags.quiet === true }),
    terminal: { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true, columns },
    cleanups,
    config: () => {
      if (settings.mistake !== undefined) throw settings.mistake;
      return settings.config;
    },
    now: Date.now,
  };
  handleOutputFaults(program, leaving, ({ message: reason }) =>
    failWith(new ContinuoError('io-failed', { path: text.standardOutput, reason }), program, context, styleOf(stderr)),
  );
  try {
    return (await runWords(words, context)) ?? exitStatus.ok;
  } catch (error) {
    await cleanups.run();
    return failWith(error, program, context, styleOf(stderr));
  }
}

async function runWords(words: readonly string[], context: Context): Promise<number | undefined> {
  const operands = operandsOf(words);
  const isHelp = operands[0] === 'help';
  const name = isHelp ? operands[1] : operands[0];
  const only = !isHelp && name !== undefined && isCommandName(name) ? { only: name } : {};
  const columns = context.terminal.columns ?? widthWithoutTerminal;
  const { root, define } = createProgram({ text: context.text, style: context.style, columns, ...only });
  let exitCode: number | undefined;
  if (name === undefined) {
    root.action(async () => {
      context.config();
      exitCode = await runNameless(context);
    });
  } else if (isCommandName(name)) {
    const { module, command } = await define(name);
    command.action(async () => {
      if (!standsMistakes(name)) context.config();
      exitCode = await callCommand(module, context, command.args, command.opts());
    });
  }
  await root.parseAsync(words, { from: 'user' });
  return exitCode;
}

/**
 * No command: a terminal gets the application, or lines where it cannot be drawn on; text that another program hands over is answered;
 * else what is stored is shown.
 */
async function runNameless(context: Context): Promise<number | undefined> {
  const { terminal, output, env } = context;
  if (terminal.stdin && terminal.stdout && !output.json && !output.quiet) {
    if (canDraw(env)) return (await import('./repl/open-repl.ts')).runRepl(context);
    return (await import('./commands/chat.ts')).run(context, [], {});
  }
  const { hasPipedInput, readPiped } = await import('./chat/piped-text.ts');
  const text = hasPipedInput() ? await readPiped(context) : '';
  if (text.trim() !== '') return (await import('./commands/chat.ts')).runPiped(context, text);
  return (await import('./commands/overview.ts')).runOverview(context);
}

/** Whether a screen can be drawn again and again: a terminal that knows how, and nobody who only collects what is written. */
function canDraw(env: NodeJS.ProcessEnv): boolean {
  const isCollected = env.CI !== undefined && env.CI !== '0' && env.CI !== 'false';
  const collectors = Object.keys(env).some((name) => name === 'CONTINUOUS_INTEGRATION' || name.startsWith('CI_'));
  return env.TERM !== 'dumb' && !isCollected && !collectors;
}

function callCommand(
  module: CommandModule,
  context: Context,
  args: readonly string[],
  options: object,
): Promise<number | undefined> {
  return module.run(context, args, options as never);
}

interface Settings {
  config: Config;
  /** Why they are not what the user wrote. Commands that need them fail with it; help and `config path` do not. */
  mistake?: unknown;
}

async function loadSettings(sources: ConfigSources): Promise<Settings> {
  try {
    return { config: await loadConfig(sources) };
  } catch (mistake) {
    return { config: withoutMistakes(sources), mistake };
  }
}

/** What can still be used to speak to the user about the mistake. */
function withoutMistakes(sources: ConfigSources): Config {
  try {
    return configWithoutFile(sources);
  } catch {
    return configWithoutFile({ home: sources.home, env: {} });
  }
}

function configSources(home: string, flags: GlobalFlags, env: NodeJS.ProcessEnv): ConfigSources {
  const said: NonNullable<ConfigSources['flags']> = {};
  if (flags.lang !== undefined) said['cli.language'] = { flag: '--lang', text: languageOf(flags.lang) };
  if (flags.keyFile !== undefined) said['store.key_file'] = { flag: '--key-file', text: flags.keyFile };
  if (flags.color !== undefined)
    said['cli.color'] = { flag: flags.color ? '--color' : '--no-color', text: flags.color ? 'always' : 'never' };
  const language = env.CONTINUO_LANG && { CONTINUO_LANG: languageOf(env.CONTINUO_LANG) };
  return { home, env: { ...env, ...language }, flags: said };
}

function failWith(error: unknown, program: NodeJS.Process, context: Context, style: Style): number {
  const { text, flags } = context;
  if (error instanceof Interrupted) return exitStatus.interrupted;
  // Help and version are printed by commander, which then ends the run this way.
  if (error instanceof CommanderError && error.exitCode === 0) return exitStatus.ok;
  const cure = error instanceof ContinuoError ? findCure(context, error) : undefined;
  const instead = error instanceof ContinuoError ? findInstead(error) : undefined;
  const debug = Boolean(program.env.CONTINUO_DEBUG);
  const [command = ''] = operandsOf(program.argv.slice(2));
  const report = reportError(error, {
    text,
    style,
    json: flags.json === true,
    debug,
    ...(isCommandName(command) && { command }),
    ...(cure !== undefined && { cure }),
    ...(instead !== undefined && { instead }),
  });
  program.stderr.write(`${report.text}\n`);
  return report.exitCode;
}
