// Which files are tests, by the names that the languages' own tools look for, and which source a test belongs to.
import { nameOf } from './resolve/project-path.ts';

const testName =
  /(?:\.(?:test|spec|e2e|cy)\.[cm]?[jt]sx?|^test_.*\.py|_test\.(?:py|go|rs|c|cc|cpp|cxx)|^conftest\.py|(?:Tests?|Spec|IT)\.(?:java|kts?))$/;
const testFolder = /(?:^|\/)(?:__tests__|tests?|specs?)\//;
const codeName = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|c|cc|cpp|cxx)$/;

export function isTestFile(path: string): boolean {
  return testName.test(nameOf(path)) || (testFolder.test(path) && codeName.test(path));
}

/** What a test and its source have in common: `store` of `store.test.ts`, `test_store.py`, `store_test.go` and `StoreTest.java`. */
export function subjectOf(path: string): string {
  const name = nameOf(path);
  const stem = name.slice(0, Math.max(1, name.indexOf('.', 1) < 0 ? name.length : name.indexOf('.', 1)));
  return stem.replace(/^test_|_test$|(?<=[a-z\d])(?:Tests?|Spec|IT)$/g, '').toLowerCase();
}
