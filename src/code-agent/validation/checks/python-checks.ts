// Python projects: pytest or unittest where the project has tests for them, else tox or nox, which make environments of their own.
import { foldersAbove, joinPath, type ProjectFolders } from '../project-folders.ts';
import { type Detector, type FoundCheck, found, nothing } from './detector.ts';

export const pythonChecks: Detector = {
  kind: 'python',
  async detect(folder, project) {
    const names = await project.names(folder);
    if (!projectFiles.some((name) => names.has(name)) && !(await hasTests(folder, project))) return nothing;
    const test = (words: string[], why: string): FoundCheck => ({ name: 'test', words, why });
    const pytest = await findPytest(folder, project);
    const runModule = await findPython(folder, project);
    if (pytest !== undefined) return found(test([...runModule, 'pytest'], pytest));
    const tests = await hasTests(folder, project);
    if (tests !== undefined)
      return found(test([...runModule, 'unittest', 'discover', '-s', tests], `tests in ${joinPath(folder, tests)}`));
    if (names.has('tox.ini')) return found(test(['tox'], joinPath(folder, 'tox.ini')));
    if (names.has('noxfile.py')) return found(test(['nox'], joinPath(folder, 'noxfile.py')));
    return nothing;
  },
};

const projectFiles = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'tox.ini',
  'noxfile.py',
  'pytest.ini',
  'requirements.txt',
  'conftest.py',
];

const pytestSigns: readonly (readonly [string, RegExp])[] = [
  ['pytest.ini', /^/],
  ['conftest.py', /^/],
  ['tests/conftest.py', /^/],
  ['pyproject.toml', /^\s*\[tool\.pytest/m],
  ['setup.cfg', /^\s*\[tool:pytest\]/m],
  ['tox.ini', /^\s*\[pytest\]/m],
  ['pyproject.toml', /["']pytest\b/],
  ['requirements-dev.txt', /^pytest\b/m],
  ['requirements.txt', /^pytest\b/m],
];

async function findPytest(folder: string, project: ProjectFolders): Promise<string | undefined> {
  for (const [file, sign] of pytestSigns) {
    const text = await project.read(joinPath(folder, file));
    if (text !== undefined && sign.test(text)) return `pytest because of ${joinPath(folder, file)}`;
  }
  return undefined;
}

async function hasTests(folder: string, project: ProjectFolders): Promise<string | undefined> {
  for (const name of ['tests', 'test', '.']) {
    const names = await project.names(name === '.' ? folder : joinPath(folder, name));
    if ([...names].some((each) => /^test.*\.py$/.test(each))) return name;
  }
  return undefined;
}

/** The environment of the project itself, wherever it is between here and the root. */
async function findPython(folder: string, project: ProjectFolders): Promise<string[]> {
  const above = foldersAbove(joinPath(folder, 'x'));
  for (const [up, place] of above.entries()) {
    for (const name of ['.venv', 'venv']) {
      if ((await project.names(joinPath(place, `${name}/bin`))).has('python'))
        return [`${'../'.repeat(up)}${name}/bin/python`, '-m'];
    }
  }
  const names = await project.names(folder);
  if (names.has('uv.lock')) return ['uv', 'run', 'python', '-m'];
  if (names.has('poetry.lock')) return ['poetry', 'run', 'python', '-m'];
  return ['python3', '-m'];
}
