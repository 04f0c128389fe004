import { defineConfig } from 'vitest/config';

/** As the repository's own, but that a slice's folder is where tests are looked for. */
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['test/fixtures/**', 'node_modules/**'],
    testTimeout: 60_000,
  },
});
