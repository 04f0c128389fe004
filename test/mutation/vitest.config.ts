import { join, matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { MUTATION_TESTS = '' } = process.env;
const PATTERNS = MUTATION_TESTS.split(' ');

/** The order of the patterns: what is quick first, for the first failure ends a mutant's run. */
class AsNamed extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId)));
  }
}

/** As the repository's own, but with the tests of one slice, the same seeds each time and no shrinking. */
export default defineConfig({
  test: {
    include: PATTERNS,
    setupFiles: ['test/setup.ts', 'test/mutation/same-seeds.ts'],
    testTimeout: 60_000,
    // Imports cost more than most tests; no test here leaves anything behind in a module.
    isolate: false,
    sequence: { sequencer: AsNamed },
  },
});

function place({ moduleId }: TestSpecification): number {
  const at = PATTERNS.findIndex((pattern) => matchesGlob(moduleId, join('**', pattern)));
  return at === -1 ? PATTERNS.length : at;
}
