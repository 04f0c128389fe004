/** Compiled, interpreted, and graphql-js on the whole document: one answer, to the byte. */
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { runs } from '../../runs.ts';
import { compareExecutors } from './compare-executors.ts';
import { randomRequest } from './random-document.ts';
import { NO_FAULTS } from './stub-venue.ts';

describe('both executors', () => {
  it.each([
    ['right values', NO_FAULTS],
    ['wrong values', { wrongValueIn: 60, throwIn: 0 }],
    ['resolvers that throw', { wrongValueIn: 0, throwIn: 3 }],
    ['everything wrong at once', { wrongValueIn: 25, throwIn: 4 }],
  ])('answer queries and mutations like graphql-js: %s', async (_name, faults) => {
    const documents = runs(400);
    const tally = await compareExecutors({ seed: 7, documents, faults });
    expect(tally.differences).toEqual([]);
    expect(tally.compared).toBe(2 * documents);
    // The load would prove nothing if it never came to what it is about.
    expect(tally.withData).toBeGreaterThan(documents / 10);
    expect(tally.withErrors > documents / 10).toBe(faults !== NO_FAULTS);
    expect(tally.withProto).toBeGreaterThan(0);
  });
});

describe('random documents', () => {
  it('are valid and contain fragments, conditions, variables and aliases', () => {
    const schema = venueSchema();
    const drawn = Array.from({ length: 200 }, (_, seed) => randomRequest(schema, seededRandom(seed)).query);
    for (const query of drawn) expect(validate(schema, parse(query)), query).toEqual([]);
    for (const sign of ['fragment', '@skip', '@include', '$v', '$c', '...', '__typename', 'a1:']) {
      expect(
        drawn.some((query) => query.includes(sign)),
        sign,
      ).toBe(true);
    }
  });
});
