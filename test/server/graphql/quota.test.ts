/** What requests cost their sender: no work of the server is free. */
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs, timeAfter } from '../../../src/domain/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { Buckets, requestQuota } from '../../../src/server/access/buckets.ts';
import { ACCESS_DEFAULTS } from '../../../src/server/access/settings.ts';
import type { OperationContext, Reply } from '../../../src/server/graphql/context.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { asking, stubResolvers } from './stub-venue.ts';

const STRANGER: OperationContext = { ...asking(), viewer: undefined };

function harness(sizes: Partial<typeof ACCESS_DEFAULTS.buckets> = {}) {
  const clock = new SimClock(epochMs(1_700_000_000_000));
  const buckets = new Buckets({ clock, sizes: { ...ACCESS_DEFAULTS.buckets, ...sizes }, maxStrangers: 100 });
  const schema = venueSchema();
  const ignore = (): void => undefined;
  const service = new GraphqlService({
    schema,
    resolvers: stubResolvers(schema, 1),
    quota: requestQuota(buckets),
    log: { info: ignore, warn: ignore, error: ignore },
  });
  const ask = (query: string, context = STRANGER): Reply => {
    const reply = service.answer({ query }, context);
    if (reply instanceof Promise) throw new Error('Invariant: the stub answers at once');
    return reply;
  };
  return {
    service,
    ask,
    elapse: (ms: number) => clock.advanceTo(timeAfter(clock.now(), ms)),
    passed: (queries: readonly string[], context?: OperationContext) =>
      queries.filter((query) => ask(query, context).retryAfterMs === undefined).length,
    left: (context = STRANGER) => buckets.present(context).find(({ name }) => name === 'read')?.remaining,
    isParseLeft: (tokens: number, context = STRANGER) => buckets.take(context, 'parse', tokens) === 0,
  };
}

const many = (count: number, query: (at: number) => string) => Array.from({ length: count }, (_, at) => query(at));

describe('a refused request', () => {
  it.each([
    ['documents that fail validation, all alike', () => '{ nothing }'],
    ['documents that fail validation, all different', (at: number) => `{ nothing${at} }`],
    ['documents that cannot be parsed', (at: number) => `{ a${at}`],
    ['an operation that is not there', (at: number) => `query A${at} { __typename } query B { __typename }`],
    ['variables that are missing', () => 'query ($id: ID!) { market(id: $id) { id } }'],
    [
      'answers that would be too large',
      () =>
        `{ ${'markets(input: { first: 100 }) { edges { node { id } } } '.repeat(1)}${many(50, (at) => `a${at}: priceHistory(marketId: "x") { bidBps }`).join(' ')} }`,
    ],
    ['what is protected', () => '{ me { id } }'],
    ['orders without credentials', () => 'mutation { cancelAllOrders { seq } }'],
    ['subscriptions over HTTP', () => 'subscription { venueStatusChanged { mode } }'],
  ])('pays a token: %s', (_what, query) => {
    const { passed, elapse } = harness({ parse: { capacity: 1_000_000, perSecond: 1 } });
    expect(passed(many(1_000, query))).toBe(500);
    elapse(1_000);
    expect(passed(many(1_000, query))).toBe(250);
  });

  it('takes no tokens of other addresses and credentials', () => {
    const { passed } = harness();
    expect(passed(many(1_000, () => '{ nothing }'))).toBe(500);
    expect(passed(['{ health { mode } }'])).toBe(0);
    expect(passed(['{ health { mode } }'], { ...STRANGER, ip: '192.0.2.2' })).toBe(1);
    expect(passed(['{ health { mode } }'], asking())).toBe(1);
  });
});

describe('a document that is not cached', () => {
  it('costs a token for each KiB before it is read', () => {
    const { passed } = harness({ read: { capacity: 1_000_000, perSecond: 1 }, parse: { capacity: 100, perSecond: 1 } });
    expect(passed(many(300, (at) => `# ${at}\n{ __typename }`))).toBe(100);
    const large = harness({ parse: { capacity: 100, perSecond: 1 } });
    expect(large.passed(many(20, (at) => `# ${at}${'x'.repeat(9_300)}\n{ __typename }`))).toBe(10);
  });

  it('costs tokens for its fields with expanded fragments and for each problem', () => {
    const wide = harness();
    const fields = many(60, (at) => `a${at}: version`).join(' ');
    const spread = many(40, (at) => `h${at}: health { ...F }`).join(' ');
    wide.ask(`{ ${spread} } fragment F on Health { ${fields} }`);
    // 2 KiB begun, and 40 + 40 + 2,400 + 60 selections by 64.
    expect(wide.isParseLeft(1_000 - 2 - 39)).toBe(true);
    expect(wide.isParseLeft(1)).toBe(false);
    const wrong = harness();
    wrong.ask(`{ ${many(20, (at) => `a${at}: marketz`).join(' ')} }`);
    expect(wrong.isParseLeft(1_000 - 1 - 20)).toBe(true);
    expect(wrong.isParseLeft(1)).toBe(false);
  });

  it('does not delay cached documents, which cost only their root fields', () => {
    const { ask, passed, isParseLeft, left } = harness({ parse: { capacity: 2, perSecond: 1 } });
    const known = 'query A { health { mode } me: geoCheck { allowed } }';
    ask(known);
    expect(isParseLeft(1)).toBe(true);
    expect(isParseLeft(1)).toBe(false);
    expect(ask('{ __typename }')).toEqual({
      answer: { data: null, errors: [{ message: 'rate limited: retry in 1000 ms', path: [] }] },
      retryAfterMs: 1_000,
    });
    expect(passed(many(10, () => known))).toBe(10);
    expect(left()).toBe(500 - 11 * 2);
  });

  it('is read when read tokens are used up, because it may contain an order or a cancel', () => {
    const { passed, left } = harness();
    const owner = asking();
    passed(
      many(600, () => '{ health { mode } }'),
      owner,
    );
    expect(left(owner)).toBe(0);
    expect(
      passed(
        many(300, (at) => `mutation { cancelOrder(id: "0x${at}") { seq } }`),
        owner,
      ),
    ).toBe(300);
  });
});

describe('introspection', () => {
  const full = getIntrospectionQuery();

  it('costs tokens for its size', () => {
    const { ask, left, passed, elapse } = harness();
    const answer = JSON.stringify(ask(full).answer);
    const price = 500 - (left() ?? 0);
    expect(answer.length).toBeGreaterThan(150_000);
    expect(price).toBeGreaterThanOrEqual(Math.floor(answer.length / 4_096));
    expect(price).toBeLessThan(100);
    expect(passed(many(100, () => full))).toBe(Math.floor(500 / price) - 1);
    elapse(1_000);
    expect(passed(many(100, () => full))).toBeLessThanOrEqual(Math.ceil(250 / price) + 1);
  });

  it('puts the bucket into debt when the answer is larger than estimated', () => {
    const { ask, passed, elapse } = harness();
    const aliases = `{ __schema { types { ${many(600, (at) => `a${at}: description`).join(' ')} } } }`;
    const size = JSON.stringify(ask(aliases).answer).length;
    expect(size).toBeGreaterThan(3_000_000);
    const debtMs = ((Math.floor(size / 4_096) - 500) / 250) * 1_000;
    elapse(debtMs - 10);
    expect(passed(['{ __typename }'])).toBe(0);
    elapse(20);
    expect(passed(['{ __typename }'])).toBe(1);
  });

  it('costs little for a small answer', () => {
    const { ask, left } = harness();
    ask('{ __schema { queryType { name } } __type(name: "Market") { kind } }');
    expect(left()).toBe(498);
  });
});

describe('the memory of cached documents', () => {
  it('is limited including what they allocate when they run', () => {
    const schema = venueSchema();
    const ignore = (): void => undefined;
    const service = new GraphqlService({
      schema,
      resolvers: stubResolvers(schema, 1),
      quota: { take: () => undefined, charge: ignore },
      log: { info: ignore, warn: ignore, error: ignore },
      cache: { maxDocuments: 100, maxCharacters: 40_000 },
    });
    const fields = many(60, (at) => `a${at}: version`).join(' ');
    const spread = many(4, (at) => `h${at}: health { ...F }`).join(' ');
    // Compiled at the third use: 4 times 60 fields take 340 kB, of a text of 1 kB.
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8])
      for (let use = 0; use < 4; use += 1)
        void service.answer({ query: `# ${at}\n{ ${spread} } fragment F on Health { ${fields} }` }, STRANGER);
    const { documents, characters } = service.cached;
    expect(characters).toBeLessThanOrEqual(40_000);
    expect(documents).toBeLessThan(6);
  });
});
