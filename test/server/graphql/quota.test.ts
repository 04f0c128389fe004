/** The rate-limit tokens that each kind of request costs. */
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs, timeAfter } from '../../../src/domain/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { Buckets } from '../../../src/server/access/buckets.ts';
import { ACCESS_DEFAULTS } from '../../../src/server/access/settings.ts';
import type { OperationContext, Reply } from '../../../src/server/graphql/context.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { operationContext, stubResolvers } from './stub-venue.ts';

const STRANGER: OperationContext = { ...operationContext(), viewer: undefined };

function harness(sizes: Partial<typeof ACCESS_DEFAULTS.buckets> = {}) {
  const clock = new SimClock(epochMs(1_700_000_000_000));
  const buckets = new Buckets(clock, { buckets: { ...ACCESS_DEFAULTS.buckets, ...sizes }, maxAnonymousCallers: 100 });
  const schema = venueSchema();
  const ignore = (): void => undefined;
  const service = new GraphqlService({
    schema,
    resolvers: stubResolvers(schema, 1),
    quota: buckets,
    log: { info: ignore, warn: ignore, error: ignore },
  });
  const request = (query: string, context = STRANGER): Reply => {
    const reply = service.answer({ query }, context);
    if (reply instanceof Promise) throw new Error('Invariant: the stub venue is synchronous');
    return reply;
  };
  return {
    service,
    request,
    elapse: (ms: number) => clock.advanceTo(timeAfter(clock.now(), ms)),
    countPassed: (queries: readonly string[], context?: OperationContext) =>
      queries.filter((query) => request(query, context).retryAfterMs === undefined).length,
    tokensLeft: (context = STRANGER) => buckets.present(context).find(({ name }) => name === 'read')?.remaining,
    takeParse: (tokens: number, context = STRANGER) => buckets.consume(context, 'parse', tokens) === 0,
  };
}

const repeat = (count: number, query: (at: number) => string) => Array.from({ length: count }, (_, at) => query(at));

describe('a refused request', () => {
  it.each([
    ['identical documents that fail validation', () => '{ nothing }'],
    ['different documents that fail validation', (at: number) => `{ nothing${at} }`],
    ['documents that cannot be parsed', (at: number) => `{ a${at}`],
    ['a missing operation', (at: number) => `query A${at} { __typename } query B { __typename }`],
    ['missing variables', () => 'query ($id: ID!) { market(id: $id) { id } }'],
    [
      'responses above the size limit',
      () =>
        `{ ${'markets(input: { first: 100 }) { edges { node { id } } } '.repeat(1)}${repeat(50, (at) => `a${at}: priceHistory(marketId: "x") { bidBps }`).join(' ')} }`,
    ],
    ['protected fields without credentials', () => '{ me { id } }'],
    ['orders without credentials', () => 'mutation { cancelAllOrders { seq } }'],
    ['subscriptions over HTTP', () => 'subscription { venueStatusChanged { mode } }'],
  ])('costs a token: %s', (_name, query) => {
    const { countPassed, elapse } = harness({ parse: { capacity: 1_000_000, perSecond: 1 } });
    expect(countPassed(repeat(1_000, query))).toBe(500);
    elapse(1_000);
    expect(countPassed(repeat(1_000, query))).toBe(250);
  });

  it('does not use tokens of other addresses and credentials', () => {
    const { countPassed } = harness();
    expect(countPassed(repeat(1_000, () => '{ nothing }'))).toBe(500);
    expect(countPassed(['{ health { mode } }'])).toBe(0);
    expect(countPassed(['{ health { mode } }'], { ...STRANGER, ip: '192.0.2.2' })).toBe(1);
    expect(countPassed(['{ health { mode } }'], operationContext())).toBe(1);
  });
});

describe('a document that is not cached', () => {
  it('costs a token for each KiB before it is read', () => {
    const { countPassed } = harness({
      read: { capacity: 1_000_000, perSecond: 1 },
      parse: { capacity: 100, perSecond: 1 },
    });
    expect(countPassed(repeat(300, (at) => `# ${at}\n{ __typename }`))).toBe(100);
    const large = harness({ parse: { capacity: 100, perSecond: 1 } });
    expect(large.countPassed(repeat(20, (at) => `# ${at}${'x'.repeat(9_300)}\n{ __typename }`))).toBe(10);
  });

  it('costs tokens for its fields with expanded fragments and for each problem', () => {
    const manyFields = harness();
    const fields = repeat(60, (at) => `a${at}: version`).join(' ');
    const spread = repeat(40, (at) => `h${at}: health { ...F }`).join(' ');
    manyFields.request(`{ ${spread} } fragment F on Health { ${fields} }`);
    // 2 tokens for 2 KiB begun, and 39 for 40 + 40 + 2,400 + 60 selections, 64 each.
    expect(manyFields.takeParse(1_000 - 2 - 39)).toBe(true);
    expect(manyFields.takeParse(1)).toBe(false);
    const invalid = harness();
    invalid.request(`{ ${repeat(20, (at) => `a${at}: marketz`).join(' ')} }`);
    expect(invalid.takeParse(1_000 - 1 - 20)).toBe(true);
    expect(invalid.takeParse(1)).toBe(false);
  });

  it('does not delay cached documents, which cost only their root fields', () => {
    const { request, countPassed, takeParse, tokensLeft } = harness({ parse: { capacity: 2, perSecond: 1 } });
    const cached = 'query A { health { mode } me: geoCheck { allowed } }';
    request(cached);
    expect(takeParse(1)).toBe(true);
    expect(takeParse(1)).toBe(false);
    expect(request('{ __typename }')).toEqual({
      answer: { data: null, errors: [{ message: 'rate limited: retry in 1000 ms', path: [] }] },
      retryAfterMs: 1_000,
    });
    expect(countPassed(repeat(10, () => cached))).toBe(10);
    expect(tokensLeft()).toBe(500 - 11 * 2);
  });

  it('is parsed when read tokens are used up, because it may contain an order or a cancel', () => {
    const { countPassed, tokensLeft } = harness();
    const owner = operationContext();
    countPassed(
      repeat(600, () => '{ health { mode } }'),
      owner,
    );
    expect(tokensLeft(owner)).toBe(0);
    expect(
      countPassed(
        repeat(300, (at) => `mutation { cancelOrder(id: "0x${at}") { seq } }`),
        owner,
      ),
    ).toBe(300);
  });
});

describe('introspection', () => {
  const introspection = getIntrospectionQuery();

  it('costs tokens for its size', () => {
    const { request, tokensLeft, countPassed, elapse } = harness();
    const answer = JSON.stringify(request(introspection).answer);
    const cost = 500 - (tokensLeft() ?? 0);
    expect(answer.length).toBeGreaterThan(150_000);
    expect(cost).toBeGreaterThanOrEqual(Math.floor(answer.length / 4_096));
    expect(cost).toBeLessThan(100);
    expect(countPassed(repeat(100, () => introspection))).toBe(Math.floor(500 / cost) - 1);
    elapse(1_000);
    expect(countPassed(repeat(100, () => introspection))).toBeLessThanOrEqual(Math.ceil(250 / cost) + 1);
  });

  it('puts the bucket into debt when the answer is larger than estimated', () => {
    const { request, countPassed, elapse } = harness();
    const aliases = `{ __schema { types { ${repeat(600, (at) => `a${at}: description`).join(' ')} } } }`;
    const size = JSON.stringify(request(aliases).answer).length;
    expect(size).toBeGreaterThan(3_000_000);
    const debtMs = ((Math.floor(size / 4_096) - 500) / 250) * 1_000;
    elapse(debtMs - 10);
    expect(countPassed(['{ __typename }'])).toBe(0);
    elapse(20);
    expect(countPassed(['{ __typename }'])).toBe(1);
  });

  it('costs little for a small answer', () => {
    const { request, tokensLeft } = harness();
    request('{ __schema { queryType { name } } __type(name: "Market") { kind } }');
    expect(tokensLeft()).toBe(498);
  });
});

describe('the memory of cached documents', () => {
  it('is limited, including the memory that compiled documents use', () => {
    const schema = venueSchema();
    const ignore = (): void => undefined;
    const options = {
      schema,
      resolvers: stubResolvers(schema, 1),
      quota: { consume: () => 0, charge: ignore },
      log: { info: ignore, warn: ignore, error: ignore },
    };
    const service = new GraphqlService(options, { cache: { maxDocuments: 100, maxCharacters: 40_000 } });
    const fields = repeat(60, (at) => `a${at}: version`).join(' ');
    const spread = repeat(4, (at) => `h${at}: health { ...F }`).join(' ');
    // The third use compiles a document: 4 times 60 fields take 340 kB for a text of 1 kB.
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8])
      for (let use = 0; use < 4; use += 1)
        void service.answer({ query: `# ${at}\n{ ${spread} } fragment F on Health { ${fields} }` }, STRANGER);
    const { documents, characters } = service.cacheSize;
    expect(characters).toBeLessThanOrEqual(40_000);
    expect(documents).toBeLessThan(6);
  });
});
