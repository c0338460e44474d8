// Two projects. Units share a process from file to file, which saves more than half a second of processor time a file. What spawns and
// kills children, loads large native libraries or is looked at from outside has a process of its own for each file. Two at a time, in
// the same locale and time zone everywhere.
import { defineConfig } from 'vitest/config';

const spawning = [
  'src/exec/**/*.test.ts',
  'src/providers/cli-agents/**/*.test.ts',
  'src/recall/embedders/onnx.test.ts',
  'src/recall/vectors/embedding-queue.test.ts',
  'src/store/drivers/jsonl/many-processes.test.ts',
  'src/tools/builtin/run-command.test.ts',
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
        test: {
          name: 'units',
          include: ['src/**/*.test.{ts,tsx}', ...crossing],
          exclude: [...never, ...spawning],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'processes', include: ['test/**/*.test.{ts,tsx}', ...spawning], exclude: [...never, ...crossing] },
      },
    ],
  },
});
