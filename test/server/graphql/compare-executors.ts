/** Draws documents and holds three ways to answer them against each other; short in the tests, long in `soak.ts`. */
import { parse, validate } from 'graphql';
import { seededRandom } from '../../../src/clock/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { LIMITS } from '../../../src/server/graphql/limits.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { randomRequest } from './random-document.ts';
import { referenceAnswer } from './reference.ts';
import { asking, type StubFaults, stubResolvers } from './stub-venue.ts';

export interface Comparison {
  readonly seed: number;
  readonly documents: number;
  readonly faults: StubFaults;
}

/** What was compared, and where the answers differ. */
export interface Tally {
  compared: number;
  withData: number;
  withErrors: number;
  withProto: number;
  readonly differences: string[];
}

const NO_LIMITS = { ...LIMITS, maxCost: Number.POSITIVE_INFINITY, maxPairs: Number.POSITIVE_INFINITY };

export async function compareExecutors({ seed, documents, faults }: Comparison): Promise<Tally> {
  const reference = venueSchema();
  const resolvers = stubResolvers(reference, seed, faults);
  const service = (after: number): GraphqlService =>
    new GraphqlService({
      schema: venueSchema(),
      resolvers,
      quota: { take: () => undefined, charge: () => undefined },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      limits: NO_LIMITS,
      compile: { after, maxFields: 10_000 },
    });
  const ways = { compiled: service(0), interpreted: service(Number.POSITIVE_INFINITY) };
  const tally: Tally = { compared: 0, withData: 0, withErrors: 0, withProto: 0, differences: [] };
  const dice = seededRandom(seed);
  for (let at = 0; at < documents; at += 1) {
    const own = dice.fork(String(at));
    const operation = own.int(4) === 0 ? 'mutation' : 'query';
    const request = randomRequest(reference, own, { operation, conditions: at % 2 === 0 });
    const problems = validate(reference, parse(request.query));
    if (problems.length > 0) throw new Error(`drawn document is not valid: ${problems[0]?.message}\n${request.query}`);
    const expected = await referenceAnswer(reference, resolvers, request, asking());
    tally.withData += expected.startsWith('{"data":{') ? 1 : 0;
    tally.withErrors += expected.includes('"errors":[') ? 1 : 0;
    tally.withProto += request.query.includes('__proto__') ? 1 : 0;
    for (const [way, each] of Object.entries(ways)) {
      // The first time lets the document in, from the second on it is compiled.
      await each.answer(request, asking());
      const { answer } = await each.answer(request, asking());
      tally.compared += 1;
      const got = JSON.stringify(answer);
      if (got !== expected && tally.differences.length < 5) {
        tally.differences.push(`${way}\n${request.query}\n${JSON.stringify(request.variables)}\n${expected}\n${got}`);
      }
    }
  }
  return tally;
}
