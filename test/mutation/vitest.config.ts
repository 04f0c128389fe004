import { join, matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { MUTATION_TESTS = '' } = process.env;
const PATTERNS = MUTATION_TESTS.split(' ');

/** Runs test files in the order of the patterns, because the first failure ends the run of a mutant. */
class PatternOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId)));
  }
}

/** The repository's settings with the tests of one slice, fixed seeds and no shrinking. */
export default defineConfig({
  test: {
    include: PATTERNS,
    setupFiles: ['test/setup.ts', 'test/mutation/same-seeds.ts'],
    testTimeout: 60_000,
    // Imports take longer than most tests, and no test changes the state of a module.
    isolate: false,
    sequence: { sequencer: PatternOrder },
  },
});

function place({ moduleId }: TestSpecification): number {
  const at = PATTERNS.findIndex((pattern) => matchesGlob(moduleId, join('**', pattern)));
  return at === -1 ? PATTERNS.length : at;
}
