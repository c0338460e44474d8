// The tools a code agent has besides the built-in ones: its managers, for the model to ask. They read; the one that runs commands
// has each of them allowed by itself.
import * as z from 'zod';
import type { Tool } from '../model/ports/tool.ts';
import { defineTool } from '../tools/builtin/define-tool.ts';
import { formatReason } from './context/relevant-files.ts';
import { describeImpact } from './impact/impact-report.ts';
import type { CodeAgentManagers } from './managers.ts';
import { describeValidation } from './validation/describe-validation.ts';

const noInput = z.strictObject({});
const pathsInput = z.strictObject({
  paths: z.array(z.string().min(1)).min(1).max(100).describe('Files relative to the project folder.'),
});
const taskInput = z.strictObject({ task: z.string().min(1).max(10_000).describe('What you want to do or find out.') });

const impactTokens = 2000;

/** The managers are asked for at each call: a restored agent has new ones. */
export function createAgentTools(managers: () => CodeAgentManagers, changed: () => Promise<readonly string[]>): Tool[] {
  return [
    defineTool({
      name: 'check_project',
      description:
        'Runs the project’s own checks (build, types, tests, linter) as far as they concern what you changed, and returns what they said.',
      schema: noInput,
      access: () => ({ needs: [], summary: 'check the project' }),
      run: async (_, { signal, onOutput }) => {
        const paths = await changed();
        const { buildValidationManager, lintManager } = managers();
        const build = await buildValidationManager.validate({ changed: paths, signal, ...(onOutput && { onOutput }) });
        const lint = await lintManager.lint({ changed: paths, signal });
        return {
          text: describeValidation([build, lint]),
          ...(build.outcome === 'failed' || lint.outcome === 'failed' ? { failed: true } : {}),
        };
      },
    }),
    defineTool({
      name: 'who_imports',
      description: 'Tells which files import the given ones, directly and through others, and which tests are among them.',
      schema: pathsInput,
      access: ({ paths }) => ({ needs: [], summary: `look who imports ${paths.join(', ')}` }),
      run: async ({ paths }, { signal }) => {
        const { impactManager } = managers();
        return { text: describeImpact(await impactManager.impactOf(paths, { signal }), impactTokens) };
      },
    }),
    defineTool({
      name: 'find_context',
      description: 'Proposes the files of the project that matter for a task, each with the reason, best first.',
      schema: taskInput,
      access: ({ task }) => ({ needs: [], summary: `look for files about: ${task}` }),
      run: async ({ task }, { signal }) => {
        const found = await managers().contextRecommender.recommend(task, { signal });
        if (found.length === 0) return { text: 'No file stands out. Look around with list_files and search_files.' };
        return { text: found.map(({ path, why }) => `${path}: ${why.map(formatReason).join('; ')}`).join('\n') };
      },
    }),
  ];
}
