import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'strategies/**/*.test.ts'],
    exclude: ['test/fixtures/**', 'node_modules/**'],
    // Two cores are enough for every test here; more workers only fight over them.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
