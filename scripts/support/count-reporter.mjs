// A vitest reporter that leaves the figures of a run in a file: how many tests passed and failed, and which were skipped and why.
// A file that cannot be loaded, a hook that throws and an error outside of any test each count as a failure.
import { writeFileSync } from 'node:fs';

export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) countTest(test, module, counts);
    }
    writeFileSync(process.env.CONTINUO_TEST_COUNTS, JSON.stringify(counts));
  }
}

function countTest(test, module, counts) {
  const { state, note } = test.result();
  if (state === 'passed') counts.passed += 1;
  else if (state === 'failed') counts.failed += 1;
  else counts.skipped.push({ file: module.relativeModuleId, name: test.fullName, mode: test.options.mode, note });
}
