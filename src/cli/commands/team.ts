// continuo team: teams of humans, models and programs, from a file.
import type { Command } from 'commander';
import { loadTeamFile } from '../../team/team-file/load-team-file.ts';
import { hasPipedInput, readAddition, readPiped } from '../chat/piped-text.ts';
import type { Context } from '../context.ts';
import type { Help } from '../messages/messages.ts';
import { readChoice } from '../option-values.ts';
import { readDeployPlan, type TeamOptions } from '../team/deploy-options.ts';
import { usageError } from '../usage-error.ts';

const actions = ['init', 'list', 'check', 'deploy', 'history'] as const;
type Action = (typeof actions)[number];

/** What an action takes; every other option is a slip. */
const optionsOf: Readonly<Record<Action, readonly (keyof TeamOptions)[]>> = {
  init: ['from', 'force'],
  list: [],
  check: ['model', 'baseUrl'],
  deploy: ['prompt', 'streamJson', 'resume', 'new', 'maxRounds', 'model', 'baseUrl', 'policy', 'project', 'timeout', 'wait'],
  history: [],
};

export function define(command: Command, { commands: { team } }: Help): void {
  const { options } = team;
  command
    .argument('[action]', team.arguments.action)
    .argument('[file]', team.arguments.file)
    .option('-p, --prompt <text>', options.prompt)
    .option('--resume [id]', options.resume)
    .option('--new', options.new)
    .option('--max-rounds <count>', options.maxRounds)
    .option('--model <provider:model>', options.model)
    .option('--base-url <url>', options.baseUrl)
    .option('--timeout <seconds>', options.timeout)
    .option('--policy <policy>', options.policy)
    .option('--project <folder>', options.project)
    .option('--wait <span>', options.wait)
    .option('--stream-json', options.streamJson)
    .option('--from <example>', options.from)
    .option('--force', options.force);
}

export async function run(
  context: Context,
  [given = 'list', named]: readonly string[],
  wanted: TeamOptions,
): Promise<number | undefined> {
  const { file, options } = readFileBehindResume(named, wanted);
  const action = readChoice(context, 'team', given, actions);
  const words = context.text.team;
  const slip = (Object.keys(options) as (keyof TeamOptions)[]).find((name) => !optionsOf[action].includes(name));
  if (slip !== undefined) throw usageError(words.unfit(toFlag(slip), action));
  if (action === 'init') return (await import('../team/init-team.ts')).initTeam(context, file, options);
  if (action === 'list') {
    if (file !== undefined) throw usageError(words.listTakesNone);
    return (await import('../team/list-teams.ts')).listTeams(context);
  }
  if (file === undefined) throw usageError(words.needsFile(action));
  if (action === 'check') return (await import('../team/check-team.ts')).checkTeam(context, file, options);
  if (action === 'history') return (await import('../team/team-history.ts')).showHistory(context, file);
  return deploy(context, file, options);
}

/** `--resume team.json`: the option has taken the file for an id, which none ends like. */
function readFileBehindResume(
  file: string | undefined,
  options: TeamOptions,
): { file: string | undefined; options: TeamOptions } {
  const { resume } = options;
  if (file !== undefined || typeof resume !== 'string' || !/\.(?:json|toml)$/i.test(resume)) return { file, options };
  return { file: resume, options: { ...options, resume: true } };
}

async function deploy(context: Context, file: string, options: TeamOptions): Promise<number | undefined> {
  const plan = readDeployPlan(context, options);
  const team = await loadTeamFile(file);
  if (!plan.isScript) return (await import('../team/terminal-deploy.ts')).runTeamTerminal(context, team, plan, file);
  const text = await readWords(context, options.prompt);
  if (text.trim() === '') throw usageError(context.text.team.noText);
  return (await import('../team/script-deploy.ts')).runTeamScript(context, team, plan, text);
}

/** Never waits for a person: what another program hands over is read, a terminal is not. */
async function readWords(context: Context, given: string | undefined): Promise<string> {
  if (given === undefined) return hasPipedInput() ? readPiped(context) : '';
  const added = await readAddition(context);
  return [given, added].filter((part) => part.trim() !== '').join('\n\n');
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
