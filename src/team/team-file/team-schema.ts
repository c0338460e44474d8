// What a team file may say. The published JSON Schema (docs/formats/team.schema.json) is made from this.
import * as z from 'zod';
import { parseMarkers } from '../routing/parse-markers.ts';
import { plainName, resolveNames } from '../routing/resolve-names.ts';

const idPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const idSchema = z
  .string()
  .regex(idPattern, 'it must be lower-case letters, digits, - and _, at most 64, beginning with a letter or a digit');
const nameSchema = z.string().trim().min(1).max(100);
const instructionsSchema = z.string().max(20_000);

const common = {
  id: idSchema.describe('What members address it by: [NEXT: id].'),
  name: nameSchema.optional().describe('Another name it is addressed by; the id if left out.'),
  displayName: nameSchema.optional().describe('How people see it; the name if left out.'),
  role: z.string().trim().max(500).optional().describe('What it is in the team, told to every member.'),
};

const aiCommon = {
  ...common,
  instructions: instructionsSchema.optional().describe('What only this member is told.'),
  timeoutSeconds: z.number().positive().max(86_400).optional().describe('The longest it may take for one turn.'),
};

const humanSchema = z.strictObject({ kind: z.literal('human'), ...common });

const modelSchema = z.strictObject({
  kind: z.literal('model'),
  ...aiCommon,
  model: z.string().min(1).optional().describe('provider:model, or offline; the model of the settings if left out.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Instead of the provider's own address."),
  maxOutputTokens: z.int().positive().optional(),
});

const programSchema = z.strictObject({
  kind: z.literal('program'),
  ...aiCommon,
  program: z.enum(['claude', 'codex', 'gemini', 'template']).describe('Which agent program; template for any other command.'),
  path: z.string().min(1).optional().describe('Where a known program is, if not in the PATH under its own name.'),
  args: z.array(z.string()).optional().describe('More arguments for a known program: permissions, tools, sandbox.'),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'For template: the program and its arguments. {prompt}, {model} and {cwd} are filled in; without {prompt} it comes on stdin.',
    ),
  resume: z.array(z.string()).min(1).optional().describe('For template: the same where its session goes on, with {sessionId}.'),
  output: z
    .enum(['text', 'json', 'claude', 'codex', 'gemini'])
    .optional()
    .describe('For template: what it writes. Default text.'),
  env: z.array(z.string()).optional().describe('Names of further environment variables it may see.'),
  model: z.string().min(1).optional().describe('The model the program shall use.'),
});

export const memberSchema = z.discriminatedUnion('kind', [humanSchema, modelSchema, programSchema]);

export const limitsSchema = z.strictObject({
  maxRounds: z.int().min(1).max(1000).optional().describe('Rounds of members before a human is asked. Default 5.'),
  memberTimeoutSeconds: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe('The longest a member may take for one turn. Default 600.'),
  windowTokens: z
    .int()
    .min(200)
    .max(2_000_000)
    .optional()
    .describe('How much of the conversation a member is shown. Default 24000.'),
  maxAnswerCharacters: z
    .int()
    .min(100)
    .max(10_000_000)
    .optional()
    .describe('A member that says more is stopped. Default 200000.'),
  saveEvery: z.int().min(1).optional().describe('Saves a snapshot also after so many messages in one turn.'),
});

export const teamFileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    id: idSchema.describe('Sessions belong to the team of this id.'),
    name: nameSchema.optional().describe('How people see the team; the id if left out.'),
    description: z.string().max(2000).optional(),
    task: z.string().max(20_000).optional().describe('The task a new session begins with. [TEAM_TASK: …] sets another.'),
    instructions: instructionsSchema.optional().describe('What every member is told.'),
    members: z.array(memberSchema).min(1).max(100),
    order: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Who answers where nobody is addressed, in this order; every member that is no human if left out.'),
    limits: limitsSchema.optional(),
  })
  .check((context) => {
    for (const { path, message } of findContradictions(context.value as TeamFile)) {
      context.issues.push({ code: 'custom', message, path, input: context.value });
    }
  });

export type TeamFile = z.infer<typeof teamFileSchema>;
export type MemberFile = z.infer<typeof memberSchema>;

interface Contradiction {
  path: (string | number)[];
  message: string;
}

function findContradictions({ members, order }: TeamFile): Contradiction[] {
  const found: Contradiction[] = [];
  const taken = new Map<string, number>();
  members.forEach((member, index) => {
    for (const field of ['id', 'name', 'displayName'] as const) {
      const written = member[field];
      if (written === undefined) continue;
      if (!isAddressable(written)) found.push({ path: ['members', index, field], message: unaddressable });
      const name = plainName(written);
      const holder = taken.get(name) ?? index;
      if (holder !== index)
        found.push({ path: ['members', index, field], message: `another member is called "${written}" already` });
      taken.set(name, holder);
    }
    if (member.kind === 'program') found.push(...checkProgram(member, index));
  });
  const ids = new Map(members.map((member) => [member.id, member.kind]));
  order?.forEach((id, index) => {
    if (order.indexOf(id) < index) found.push({ path: ['order', index], message: `"${id}" is in the order already` });
    else if (!ids.has(id)) found.push({ path: ['order', index], message: `there is no member "${id}"` });
    else if (ids.get(id) === 'human')
      found.push({ path: ['order', index], message: `"${id}" is a human; the order is about the others` });
  });
  if (!members.some(({ kind }) => kind === 'human')) found.push({ path: ['members'], message: 'a team needs a human to ask' });
  if (!members.some(({ kind }) => kind !== 'human'))
    found.push({ path: ['members'], message: 'a team needs a member that is no human' });
  return found;
}

const unaddressable = 'no [NEXT: …] could name it: brackets must match, and it must be on one line';

function isAddressable(name: string): boolean {
  const { next } = parseMarkers(`[NEXT: ${name}]`);
  return resolveNames(next, [{ id: name, name, displayName: name }]).ids.length === 1;
}

function checkProgram(member: Extract<MemberFile, { kind: 'program' }>, index: number): Contradiction[] {
  const isTemplate = member.program === 'template';
  if (isTemplate && member.command === undefined)
    return [{ path: ['members', index, 'command'], message: 'a template needs the command to run' }];
  const foreign = isTemplate ? (['path', 'args'] as const) : (['command', 'resume', 'output'] as const);
  const given = foreign.find((name) => name in member);
  if (given === undefined) return [];
  const message = isTemplate ? 'a template has it in its command' : 'only a template has it';
  return [{ path: ['members', index, given], message }];
}
