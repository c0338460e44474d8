// From a template to the arguments of one run. There is no shell: a placeholder is filled in within its argument, whatever the
// value holds.
import { ContinuoError } from '../../model/error.ts';

export interface CommandTemplate {
  /** The program and its arguments. `{prompt}`, `{model}` and `{cwd}` are filled in. Without `{prompt}` it reads standard input. */
  command: readonly string[];
  /** The same where a session goes on, with `{sessionId}` besides. Without it every run begins anew. */
  resume?: readonly string[];
}

export interface TemplateValues {
  prompt: string;
  cwd: string;
  model?: string;
  sessionId?: string;
}

export interface FilledCommand {
  program: string;
  args: string[];
  /** Undefined where the prompt is among the arguments. */
  input: string | undefined;
}

/** Throws `invalid-input` for a template that no run could fill in. */
export function checkTemplate(template: CommandTemplate, hasModel: boolean): void {
  const known = ['prompt', 'cwd', ...(hasModel ? ['model'] : [])];
  checkParts(template.command, known);
  if (template.resume === undefined) return;
  checkParts(template.resume, [...known, 'sessionId']);
  if (!template.resume.some((part) => part.includes('{sessionId}'))) {
    throw new ContinuoError('invalid-input', { what, reason: 'the command for going on does not name {sessionId}' });
  }
}

export function fillCommand(template: CommandTemplate, values: TemplateValues): FilledCommand {
  const parts = values.sessionId !== undefined && template.resume ? template.resume : template.command;
  const table: Readonly<Record<string, string | undefined>> = { ...values };
  const [program = '', ...args] = parts.map((part) => part.replace(placeholder, (place, name) => table[name] ?? place));
  const hasPrompt = parts.some((part) => part.includes('{prompt}'));
  return { program, args, input: hasPrompt ? undefined : values.prompt };
}

const what = 'command template';
const placeholder = /\{(prompt|model|cwd|sessionId)\}/g;

function checkParts(parts: readonly string[], known: readonly string[]): void {
  const [program] = parts;
  if (program === undefined || program === '') throw new ContinuoError('invalid-input', { what, reason: 'it names no program' });
  if (program.match(placeholder))
    throw new ContinuoError('invalid-input', { what, reason: 'the program itself is a placeholder' });
  for (const part of parts) {
    if (part.includes('\0')) throw new ContinuoError('invalid-input', { what, reason: 'it has a NUL character' });
    for (const [place, name = ''] of part.matchAll(placeholder)) {
      if (!known.includes(name)) throw new ContinuoError('invalid-input', { what, reason: `there is no value for ${place}` });
    }
  }
}
