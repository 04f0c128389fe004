/** Compares the compiled executor, the interpreter and graphql-js on random documents. */
import { parse, validate } from 'graphql';
import { seededRandom } from '../../../src/clock/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { LIMITS } from '../../../src/server/graphql/limits.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { randomRequest } from './random-document.ts';
import { executeReference } from './reference.ts';
import { operationContext, type StubFaults, stubResolvers } from './stub-venue.ts';

export interface Comparison {
  readonly seed: number;
  readonly documents: number;
  readonly faults: StubFaults;
}

/** Counts of a comparison and at most five differences. */
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
    new GraphqlService(
      {
        schema: venueSchema(),
        resolvers,
        quota: { consume: () => 0, charge: () => undefined },
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      },
      { limits: NO_LIMITS, compile: { after, maxFields: 10_000 } },
    );
  const executors = { compiled: service(0), interpreted: service(Number.POSITIVE_INFINITY) };
  const tally: Tally = { compared: 0, withData: 0, withErrors: 0, withProto: 0, differences: [] };
  const random = seededRandom(seed);
  for (let at = 0; at < documents; at += 1) {
    const documentRandom = random.fork(String(at));
    const operation = documentRandom.int(4) === 0 ? 'mutation' : 'query';
    const request = randomRequest(reference, documentRandom, { operation, conditions: at % 2 === 0 });
    const problems = validate(reference, parse(request.query));
    if (problems.length > 0) throw new Error(`random document is not valid: ${problems[0]?.message}\n${request.query}`);
    const expected = await executeReference(reference, resolvers, request, operationContext());
    tally.withData += expected.startsWith('{"data":{') ? 1 : 0;
    tally.withErrors += expected.includes('"errors":[') ? 1 : 0;
    tally.withProto += request.query.includes('__proto__') ? 1 : 0;
    for (const [name, executor] of Object.entries(executors)) {
      // The first request caches the document; the second one compiles it.
      await executor.answer(request, operationContext());
      const { answer } = await executor.answer(request, operationContext());
      tally.compared += 1;
      const actual = JSON.stringify(answer);
      if (actual !== expected && tally.differences.length < 5) {
        tally.differences.push(
          `${name}\n${request.query}\n${JSON.stringify(request.variables)}\n${expected}\n${actual}`,
        );
      }
    }
  }
  return tally;
}
