// The managers of a code agent. All of them are made from the folder and what the agent was given; nothing of them is saved, so
// making them again is restoring them.
import type { Recall } from '../model/ports/recall.ts';
import { CodeContextManager } from './context/code-context-manager.ts';
import { DiffManager } from './diff/diff-manager.ts';
import type { DirtyPaths } from './git/dirty-paths.ts';
import { GitManager } from './git/git-manager.ts';
import { ImpactManager } from './impact/impact-manager.ts';
import type { ProjectRunner } from './project-runner.ts';
import { ContextRecommender } from './recommend/context-recommender.ts';
import { BuildValidationManager } from './validation/build-validation-manager.ts';
import { LintManager } from './validation/lint-manager.ts';
import { PostProcessManager } from './validation/post-process-manager.ts';

export interface CodeAgentManagers {
  contextManager: CodeContextManager;
  gitManager: GitManager;
  diffManager: DiffManager;
  impactManager: ImpactManager;
  buildValidationManager: BuildValidationManager;
  lintManager: LintManager;
  postProcessManager: PostProcessManager;
  contextRecommender: ContextRecommender;
}

export interface ManagerParts {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  runner: ProjectRunner;
  recall?: Recall | undefined;
  /** The project's key, under which earlier conversations of it are filed. */
  project?: string | undefined;
  /** What the person had changed before the work began, where an earlier process looked. */
  dirty?: DirtyPaths | undefined;
}

export function createManagers({ root, env, runner, recall, project, dirty }: ManagerParts): CodeAgentManagers {
  const contextManager = new CodeContextManager({ root });
  const gitManager = new GitManager({ root, env, ...(dirty && { dirty }) });
  return {
    contextManager,
    gitManager,
    diffManager: new DiffManager({ root, git: gitManager }),
    impactManager: new ImpactManager({ root, contextManager }),
    buildValidationManager: new BuildValidationManager({ root, runner }),
    lintManager: new LintManager({ root, runner, env }),
    postProcessManager: new PostProcessManager({ root, runner, env }),
    contextRecommender: new ContextRecommender({
      contextManager,
      ...(recall && { recall }),
      ...(project !== undefined && { project }),
    }),
  };
}
