// Tests run in processes of their own (many spawn and kill children), two at a time, in the same locale and time zone everywhere.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    pool: 'forks',
    maxWorkers: 2,
    // Limits for what hangs, not for what is slow: machines that do much else at once must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  },
});
