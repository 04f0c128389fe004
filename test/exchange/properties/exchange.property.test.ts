/** Random sequences in their short form; `npm run soak:exchange` has the long one. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { runs } from '../../runs.ts';
import { PROPERTIES } from './properties.ts';

/** Fewer while mutants are tried, where each of thousands runs them. */
const { MUTATION_TESTS } = process.env;
const numRuns = MUTATION_TESTS === undefined ? runs(80) : 6;

describe('the exchange over random sequences', () => {
  for (const [name, property] of Object.entries(PROPERTIES)) {
    it(name, () => {
      fc.assert<unknown[]>(property(250), { numRuns });
    });
  }
});
