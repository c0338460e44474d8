// Three projects. Units share a process from file to file, which saves more than half a second of processor time a file; so do, in
// processes that hold no more than they need to start others, the files that try programs from outside. What counts its own children,
// memory or files, changes its environment, lives in the past (new ids never sort before earlier ones), loads large native libraries or
// starts git hundreds of times (which is the dearer the larger the process) has a process of its own for each file. Two at a time, in
// the same locale and time zone everywhere.
import { defineConfig } from 'vitest/config';

// Node reads further certificates at every start, which takes longer than all the rest of it; the tests talk to this machine alone.
delete process.env.NODE_EXTRA_CA_CERTS;

const alone = [
  'src/code-agent/@(diff|git|validation)/*-manager.test.ts',
  'src/exec/run-command.test.ts',
  'src/exec/sandbox/bubblewrap.test.ts',
  'src/exec/shell/parse-shell-agrees.test.ts',
  'src/providers/cli-agents/**/*.test.ts',
  'src/recall/embedders/onnx.test.ts',
  'src/recall/vectors/embedding-queue.test.ts',
  'src/store/drivers/jsonl/many-processes.test.ts',
  'src/tools/builtin/run-command.test.ts',
  'test/code-agent/*.test.ts',
  'test/crash/many-processes.test.ts',
  'test/e2e/@(embedder|recall-care|recall-mishaps|recall-projects|recall-settings).test.ts',
  'test/faults/*.test.ts',
  'test/mcp/*.test.ts',
  'test/recall-retention/scale.test.ts',
  'test/runtime/@(commands|leak|mcp).test.ts',
  'test/training/*.test.ts',
  'test/transcripts/@(account-export|hostile|opencode).test.ts',
];
const crossing = [
  'test/recall-search/!(processes).test.ts',
  'test/runtime/!(commands|leak|mcp).test.ts',
  'test/team/@(coordinator|resume|snapshot-truth).test.ts',
];
const never = ['**/node_modules/**'];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Limits for what hangs, not for what is slow: machines that do much else at once must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    projects: [
      {
        extends: true,
        test: { name: 'processes', include: alone, exclude: never },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...never, ...alone, ...crossing],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'units',
          include: ['src/**/*.test.{ts,tsx}', ...crossing],
          exclude: [...never, ...alone],
          isolate: false,
        },
      },
    ],
  },
});
