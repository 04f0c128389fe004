import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/program.ts';

/** Whole processes that start, hang and are killed, and long random runs: in CI after the others. */
const SLOW = 'test/**/*.slow.test.ts';
/** Files with random tests: a fifth of their cases is fast. */
const RANDOM = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes("/runs.ts';"));

// Threads and programs that tests start compile a file once, not at each start: tests of databases take half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

export default defineConfig({
  // As Node resolves it. Vite would take `graphql`'s other build for our code alone, and two of them refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // Only what hangs is to end by these: nothing here asserts a time, and CI's machines are slow now and then.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    setupFiles: ['test/setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts', 'strategies/**/*.test.ts'],
          exclude: ['test/fixtures/**', ...configDefaults.exclude, SLOW],
          env: { TEST_PROJECT: 'fast', TEST_PROGRAM: BUILT_PROGRAM },
          globalSetup: ['test/build-program.ts'],
          // Imports take longer than most tests, so files share a process and its modules. A file that mocks a module is slow.
          isolate: false,
          // Node strips the types itself. Vite's runner takes a fifth more processor time: each use of an import is a call.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // More room for new objects, MB: less processor time goes into collecting what soon ends.
          execArgv: ['--max-semi-space-size=64'],
          // One more than the cores of the smallest machine: a third of the time of these tests is waiting for sockets and timers.
          maxWorkers: 3,
        },
      },
      // Each of these files may start several processes. In a group of its own: a random file is in both projects, and comes after the fast tests.
      {
        extends: true,
        test: {
          name: 'slow',
          include: [SLOW, ...RANDOM],
          env: { TEST_PROGRAM: BUILT_PROGRAM },
          globalSetup: ['test/build-program.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
