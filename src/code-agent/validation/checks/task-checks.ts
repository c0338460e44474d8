// Task files (make, just): their targets called check and test.
import { joinPath } from '../project-folders.ts';
import { type Detector, type FoundCheck, found, nothing } from './detector.ts';

export const makeChecks: Detector = createTaskDetector('make', ['GNUmakefile', 'makefile', 'Makefile'], (text) => {
  // Not an assignment, not a pattern, and not the lines of a recipe.
  const rules = text.matchAll(/^([A-Za-z0-9_./-]+(?:[ ]+[A-Za-z0-9_./-]+)*)[ ]*::?(?![=:])[ ]*([^#\n=]*)$/gm);
  return [...rules].flatMap(([, targets = '', needs = '']) =>
    targets.split(/ +/).map((target) => [target, needs.trim().split(/\s+/)] as const),
  );
});

export const justChecks: Detector = createTaskDetector('just', ['justfile', 'Justfile', '.justfile'], (text) => {
  // A recipe that wants arguments cannot be run without them.
  const recipes = text.matchAll(/^@?([A-Za-z_][\w-]*)[ ]*:(?!=)[ ]*([^#\n]*)/gm);
  return [...recipes].map(([, name = '', needs = '']) => [name, needs.trim().split(/\s+/)] as const);
});

type Targets = readonly (readonly [name: string, needs: readonly string[]])[];

function createTaskDetector(kind: string, files: readonly string[], parse: (text: string) => Targets): Detector {
  return {
    kind,
    async detect(folder, project) {
      const names = await project.names(folder);
      const file = files.find((name) => names.has(name));
      const text = file === undefined ? undefined : await project.read(joinPath(folder, file));
      if (file === undefined || text === undefined) return nothing;
      const targets = new Map<string, string[]>();
      for (const [name, needs] of parse(text)) targets.set(name, [...(targets.get(name) ?? []), ...needs]);
      const wanted = (['check', 'test'] as const).filter((name) => targets.has(name));
      // One of the two often only calls the other.
      const called = wanted.filter((name) => wanted.some((other) => other !== name && targets.get(other)?.includes(name)));
      const checks = wanted.filter((name) => !called.includes(name) || called.length === wanted.length);
      return found(
        ...checks.map(
          (name): FoundCheck => ({ name, words: [kind, name], why: `the target "${name}" of ${joinPath(folder, file)}` }),
        ),
      );
    },
  };
}
