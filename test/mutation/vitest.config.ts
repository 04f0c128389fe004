import { defineConfig } from 'vitest/config';

const { MUTATION_TESTS = '' } = process.env;

/** As the repository's own, but with the tests of one slice, the same seeds each time and no shrinking. */
export default defineConfig({
  test: {
    include: MUTATION_TESTS.split(' '),
    setupFiles: ['test/mutation/same-seeds.ts'],
    testTimeout: 60_000,
  },
});
