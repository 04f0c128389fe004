import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';
import { BUILT_PROGRAM } from './test/program.ts';

/** Tests of whole processes that start, hang and are killed, and long random tests. CI runs them after the others. */
const SLOW = 'test/**/*.slow.test.ts';
/** Files with random tests. The fast project runs a fifth of their cases. */
const RANDOM = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes("/runs.ts';"));

// Threads and programs that tests start use compiled files from a cache, which halves the time of database tests.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

export default defineConfig({
  // Node resolves `graphql` to this build. Vite would load another build for our code, and the builds refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // These timeouts end only tests that hang. No test asserts a time, because machines of CI are sometimes slow.
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
          // Imports take longer than most tests, so files share a process and its modules. Files that mock a module are slow tests.
          isolate: false,
          // Node strips the types. Vite's runner takes a fifth more processor time, because each use of an import is a call.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // MB for new objects. With more space, garbage collection takes less processor time.
          execArgv: ['--max-semi-space-size=64'],
          // One more than the cores of the smallest machine, because these tests wait for sockets and timers a third of their time.
          maxWorkers: 3,
        },
      },
      // Each of these files may start several processes. Their group runs after the fast tests, because random files are in both projects.
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
