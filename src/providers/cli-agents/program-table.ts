// The agent programs that are known by name: how each is called, how it goes on with a session, and which variables it may see.
// All read the prompt from standard input, because an argument has a length limit.
import type { CommandTemplate } from './command-template.ts';
import { claudeDialect } from './dialects/claude.ts';
import { codexDialect } from './dialects/codex.ts';
import type { Dialect } from './dialects/dialect.ts';
import { geminiDialect } from './dialects/gemini.ts';
import { jsonDialect, textDialect } from './dialects/plain.ts';

export interface KnownProgram {
  build(options: { path: string; model?: string; args: readonly string[] }): CommandTemplate;
  dialect: Dialect;
  /** Beginnings of the names of its own variables. */
  variables: readonly string[];
}

export const knownPrograms = {
  claude: {
    build({ path, model, args }) {
      const common = [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-partial-messages',
        ...named('--model', model),
      ];
      return { command: [path, ...common, ...args], resume: [path, ...common, ...args, '--resume', '{sessionId}'] };
    },
    dialect: claudeDialect,
    variables: ['ANTHROPIC_', 'CLAUDE_', 'AWS_', 'VERTEX_', 'CLOUD_ML_REGION', 'DISABLE_', 'IS_SANDBOX'],
  },
  codex: {
    build({ path, model, args }) {
      const common = ['exec', '--json', '--skip-git-repo-check', ...named('--model', model), ...args];
      return { command: [path, ...common, '-'], resume: [path, ...common, 'resume', '{sessionId}', '-'] };
    },
    dialect: codexDialect,
    variables: ['OPENAI_', 'CODEX_', 'AZURE_OPENAI_'],
  },
  gemini: {
    build({ path, model, args }) {
      const common = ['--output-format', 'stream-json', ...named('--model', model), ...args];
      return { command: [path, ...common], resume: [path, ...common, '--resume', '{sessionId}'] };
    },
    dialect: geminiDialect,
    variables: ['GEMINI_', 'GOOGLE_'],
  },
} as const satisfies Record<string, KnownProgram>;

export type KnownProgramName = keyof typeof knownPrograms;

/** What a program given by a template may write. */
export const dialects = {
  text: textDialect,
  json: jsonDialect,
  claude: claudeDialect,
  codex: codexDialect,
  gemini: geminiDialect,
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;

function named(option: string, value: string | undefined): string[] {
  return value === undefined ? [] : [option, value];
}
