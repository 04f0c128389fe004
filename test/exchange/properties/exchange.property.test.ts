/** Short random sequences; `npm run soak:exchange` runs long ones. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { runs } from '../../runs.ts';
import { PROPERTIES } from './properties.ts';

/** Few runs in mutation tests, which repeat them for thousands of mutants. */
const { MUTATION_TESTS } = process.env;
const numRuns = MUTATION_TESTS === undefined ? runs(80) : 6;

describe('the exchange over random sequences', () => {
  for (const [name, property] of Object.entries(PROPERTIES)) {
    it(name, () => {
      fc.assert<unknown[]>(property(250), { numRuns });
    });
  }
});
