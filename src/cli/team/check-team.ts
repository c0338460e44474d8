// continuo team check: whether a team file is right, and whether everybody in it could speak here. Nothing is started; who could not
// speak gives the exit code, as it would when the team is deployed.
import { isContinuoError } from '../../model/error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import type { Team, TeamMember } from '../../team/team-definition.ts';
import { loadTeamFile } from '../../team/team-file/load-team-file.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { exitCodes, exitStatus } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Column, renderTable } from '../output/table.ts';
import { createRuler } from '../output/text-ruler.ts';
import { readDeployPlan, type TeamOptions } from './deploy-options.ts';
import { createMemberModel, createMemberProgram, modelOf } from './open-team.ts';

interface MemberReport {
  id: string;
  name: string;
  kind: TeamMember['kind'];
  /** The model or the program. */
  speaks: string;
  role?: string;
  /** Why it could not speak here. */
  problem?: { code: ErrorCode; message: string };
}

export async function checkTeam(context: Context, path: string, options: TeamOptions): Promise<number> {
  const { output, style, text } = context;
  const team = await loadTeamFile(path);
  const members = await Promise.all(team.members.map((member) => report(context, member, options)));
  const { id, name, order, limits } = team;
  output.result({ file: path, team: { id, name, order, limits }, members }, () => []);
  const silent = members.filter(({ problem }) => problem !== undefined);
  const [first] = silent;
  const status = first?.problem ? exitCodes[first.problem.code] : exitStatus.ok;
  if (output.json) return status;
  const verdict = first ? text.team.rightButSilent(plainLine(name), id, silent.length) : text.team.fine(plainLine(name), id);
  output.line(verdict, ...(await renderMembers(context, team, members)));
  for (const { name: member, problem } of members)
    if (problem) output.warn(style.yellow(text.team.cannotSpeak(plainLine(member), plainLine(problem.message))));
  return status;
}

async function report(context: Context, member: TeamMember, options: TeamOptions): Promise<MemberReport> {
  const plan = readDeployPlan(context, options);
  const speaks =
    member.kind === 'human' ? '' : member.kind === 'model' ? modelOf(member, plan) : (member.command?.[0] ?? member.program);
  const facts = {
    id: member.id,
    name: member.displayName,
    kind: member.kind,
    speaks,
    ...(member.role !== undefined && { role: member.role }),
  };
  try {
    if (member.kind === 'model' && speaks !== 'offline') await createMemberModel(context, member, plan);
    if (member.kind === 'program') await (await createMemberProgram(context, member, 1)).check(plan.project);
    return facts;
  } catch (error) {
    if (!isContinuoError(error)) throw error;
    return { ...facts, problem: { code: error.code, message: describeError(error, context.text) } };
  }
}

async function renderMembers(
  { text, style, terminal }: Context,
  team: Team,
  members: readonly MemberReport[],
): Promise<string[]> {
  const { headings, kinds } = text.team;
  const columns: Column[] = [
    { heading: headings.id },
    { heading: headings.name },
    { heading: headings.kind },
    { heading: headings.speaks, dispensable: 2 },
    { heading: headings.order, dispensable: 3 },
    { heading: headings.role, flexible: true, dispensable: 1 },
  ];
  const rows = members.map(({ id, name, kind, speaks, role = '', problem }) => [
    { text: id, paint: style.cyan },
    { text: plainLine(name) },
    { text: kinds[kind] },
    { text: plainLine(speaks), paint: problem ? style.yellow : style.dim },
    { text: team.order.includes(id) ? String(team.order.indexOf(id) + 1) : '', paint: style.dim },
    { text: plainLine(role), paint: style.dim },
  ]);
  const ruler = await createRuler([...Object.values(headings), ...rows.flat().map((cell) => cell.text)]);
  return renderTable(columns, rows, { ruler, width: terminal.columns, paintHeading: style.bold });
}
