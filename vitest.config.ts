import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As Node resolves it. Vite would take `graphql`'s other build for our code alone, and two of them refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts', 'strategies/**/*.test.ts'],
    exclude: ['test/fixtures/**', 'node_modules/**'],
    // Two cores are enough for every test here; more workers only fight over them.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
