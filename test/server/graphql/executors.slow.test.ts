/** The compiled executor, the interpreter and graphql-js return the same bytes. */
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { runs } from '../../runs.ts';
import { compareExecutors } from './compare-executors.ts';
import { randomRequest } from './random-document.ts';
import { NO_FAULTS } from './stub-venue.ts';

describe('the compiled executor and the interpreter', () => {
  it.each([
    ['valid values', NO_FAULTS],
    ['invalid values', { wrongValueIn: 60, throwIn: 0 }],
    ['resolvers that throw', { wrongValueIn: 0, throwIn: 3 }],
    ['invalid values and resolvers that throw', { wrongValueIn: 25, throwIn: 4 }],
  ])('execute queries and mutations like graphql-js with %s', async (_name, faults) => {
    const documents = runs(400);
    const tally = await compareExecutors({ seed: 7, documents, faults });
    expect(tally.differences).toEqual([]);
    expect(tally.compared).toBe(2 * documents);
    // Checks that the run covered data, errors and __proto__.
    expect(tally.withData).toBeGreaterThan(documents / 10);
    expect(tally.withErrors > documents / 10).toBe(faults !== NO_FAULTS);
    expect(tally.withProto).toBeGreaterThan(0);
  });
});

describe('random documents', () => {
  it('are valid and contain fragments, conditions, variables and aliases', () => {
    const schema = venueSchema();
    const queries = Array.from({ length: 200 }, (_, seed) => randomRequest(schema, seededRandom(seed)).query);
    for (const query of queries) expect(validate(schema, parse(query)), query).toEqual([]);
    for (const syntax of ['fragment', '@skip', '@include', '$v', '$c', '...', '__typename', 'a1:']) {
      expect(
        queries.some((query) => query.includes(syntax)),
        syntax,
      ).toBe(true);
    }
  });
});
