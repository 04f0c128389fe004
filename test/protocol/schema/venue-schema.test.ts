import {
  buildSchema,
  type GraphQLSchema,
  graphqlSync,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA_SDL, venueSchema } from '../../../src/protocol/index.ts';

const schema = venueSchema();

/** Executes a document. @param root values or resolvers of the root fields */
function run(source: string, root: Record<string, unknown> = {}, variableValues: Record<string, unknown> = {}) {
  const { data, errors } = graphqlSync({ schema, source, rootValue: root, variableValues });
  return { data, messages: errors?.map(({ message }) => message) };
}

/** A root field that records its arguments. */
function recordArguments(field: string): { readonly root: Record<string, unknown>; readonly received: unknown[] } {
  const received: unknown[] = [];
  return { received, root: { [field]: (args: unknown) => void received.push(args) } };
}

describe('venueSchema', () => {
  it('prints exactly as the SDL', () => {
    const text = (anySchema: GraphQLSchema): string => printSchema(lexicographicSortSchema(anySchema));
    expect(text(schema)).toBe(text(buildSchema(SCHEMA_SDL)));
    expect(validateSchema(schema)).toEqual([]);
  });

  it('returns a new schema each time and does not change the Int of graphql-js', () => {
    expect(venueSchema().getType('Int')).not.toBe(schema.getType('Int'));
    const own = buildSchema('type Query { cents: Int }');
    const { errors } = graphqlSync({ schema: own, source: '{ cents }', rootValue: { cents: 3_000_000_000 } });
    expect(errors).toHaveLength(1);
  });
});

describe('Int', () => {
  const query =
    'query ($cents: Int) { betQuote(marketId: "m", outcome: YES, side: BUY, amountCents: $cents) { amountCents } }';

  it('accepts integers up to 2^53 - 1 in variables, literals and answers', () => {
    const cents = Number.MAX_SAFE_INTEGER;
    const { root, received } = recordArguments('betQuote');
    run(query, root, { cents });
    run(query.replaceAll('$cents', String(cents)).replace(`(${cents}: Int)`, ''), root);
    expect(received).toEqual([
      expect.objectContaining({ amountCents: cents }),
      expect.objectContaining({ amountCents: cents }),
    ]);
    expect(run(query, { betQuote: { amountCents: cents } }).data).toEqual({ betQuote: { amountCents: cents } });
  });

  it.each([1.5, '7', true, 2 * Number.MAX_SAFE_INTEGER, [1, 2]])('refuses a request with the variable %j', (cents) => {
    const { root, received } = recordArguments('betQuote');
    const { data, messages } = run(query, root, { cents });
    expect([data, received]).toEqual([undefined, []]);
    expect(messages?.[0]).toMatch(/Int cannot represent .*whole numbers within 2\^53 - 1/);
  });

  it.each(['1.5', '"7"', 'true', '99999999999999999999'])('refuses a request with the literal %s', (literal) => {
    const source = `{ betQuote(marketId: "m", outcome: YES, side: BUY, amountCents: ${literal}) { amountCents } }`;
    expect(run(source).messages).toEqual([`Int cannot represent ${literal}: it takes whole numbers within 2^53 - 1`]);
  });

  it.each([1.5, '7', true, 2 * Number.MAX_SAFE_INTEGER])('fails when an answer is %j', (amountCents) => {
    expect(run(query, { betQuote: { amountCents } }).messages?.[0]).toMatch(/^Invariant: .* is not a Int$/);
  });

  it('is written without a sign for zero', () => {
    const { root, received } = recordArguments('betQuote');
    run(query, root, { cents: -0 });
    run(query.replaceAll('$cents', '-0').replace('(-0: Int)', ''), root);
    expect(received).toEqual([
      expect.objectContaining({ amountCents: 0 }),
      expect.objectContaining({ amountCents: 0 }),
    ]);
  });
});

describe('scalars encoded as strings', () => {
  const cases = [
    ['Time', 'priceHistory', 'query ($x: Time) { priceHistory(marketId: "m", since: $x) { at } }', 'since'],
    ['Cursor', 'trades', 'query ($x: Cursor) { trades(marketId: "m", after: $x) { totalCount } }', 'after'],
    ['Hex', 'authChallenge', 'query ($x: Hex!) { authChallenge(address: $x) { nonce } }', 'address'],
    [
      'UintString',
      'mergePosition',
      'mutation ($x: UintString!) { mergePosition(marketId: "m", sets: $x) { seq } }',
      'sets',
    ],
    ['ID', 'resolutionOutcome', 'query ($x: ID!) { resolutionOutcome(marketId: $x) { status } }', 'marketId'],
  ] as const;

  it.each(cases)('%s passes every string to its reader in %s', (_scalar, field, source, argument) => {
    const { root, received } = recordArguments(field);
    const literal = source.replace(/\(\$x.*?\) /, '').replace('$x', '"\\u2615 no value"');
    run(source, root, { x: '☕ no value' });
    run(literal, root);
    expect(received).toEqual([1, 2].map(() => expect.objectContaining({ [argument]: '☕ no value' })));
  });

  it.each(cases)('%s refuses the request when the value is not a string in %s', (scalar, field, source) => {
    const { root, received } = recordArguments(field);
    for (const x of [1.5, true, { text: 'a' }]) {
      const { data, messages } = run(source, root, { x });
      expect(data).toBeUndefined();
      expect(messages?.join()).toContain(`${scalar} cannot represent`);
    }
    const literal = source.replace(/\(\$x.*?\) /, '');
    expect(run(literal.replace('$x', '1.5'), root).messages?.join()).toContain(`${scalar} cannot represent`);
    expect(received).toEqual([]);
  });

  it.each(cases.slice(0, 4))('%s refuses the request when the value is an integer in %s', (scalar, _field, source) => {
    expect(run(source, {}, { x: 7 }).messages?.join()).toContain(`${scalar} cannot represent 7: it takes strings`);
    const literal = source.replace(/\(\$x.*?\) /, '').replace('$x', '7');
    expect(run(literal).messages).toEqual([`${scalar} cannot represent 7: it takes strings`]);
  });

  it('ID accepts integers and passes them to its reader as text', () => {
    const { root, received } = recordArguments('market');
    run('{ market(id: 7) { id } }', root);
    run('query ($id: ID) { market(id: $id) { id } }', root, { id: 7 });
    expect(received).toEqual([{ id: '7' }, { id: '7' }]);
  });

  it('do not affect other fields when a reader refuses one value', () => {
    const root = {
      market: () => {
        throw new Error('invalid market ID: no');
      },
      health: { version: '1' },
    };
    const { data, messages } = run('{ market(id: "x") { id } health { version } }', root);
    expect(data).toEqual({ market: null, health: { version: '1' } });
    expect(messages).toEqual(['invalid market ID: no']);
  });
});

describe('scalars in answers', () => {
  const payload = '{ health { serverTime engineSeq } }';

  it('are written from internal values', () => {
    const health = { serverTime: 1_772_366_400_070, engineSeq: 12 };
    expect(run(payload, { health }).data).toEqual({
      health: { serverTime: '2026-03-01T12:00:00.070Z', engineSeq: '12' },
    });
    const signed = '{ portfolio { realizedPnlMicros } authChallenge(address: "0x") { nonce typedData } }';
    const root = {
      portfolio: { realizedPnlMicros: -5n },
      authChallenge: { nonce: '0xab', typedData: { domain: {}, types: {} } },
    };
    expect(run(signed, root).data).toEqual({
      portfolio: { realizedPnlMicros: '-5' },
      authChallenge: { nonce: '0xab', typedData: { domain: {}, types: {} } },
    });
  });

  it.each([
    [{ serverTime: '2026-03-01T12:00:00Z', engineSeq: 1 }, / is not a Time$/],
    [{ serverTime: 0.5, engineSeq: 1 }, / is not a Time$/],
    [{ serverTime: 0, engineSeq: -1 }, / is not an unsigned integer$/],
    [{ serverTime: 0, engineSeq: '12' }, / is not a UintString$/],
  ])('fail for other values: %j', (health, message) => {
    expect(run(payload, { health }).messages?.[0]).toMatch(message);
  });

  it.each(['0xAB', 'ab', '0xa', 7])('fail as Hex when they are %j', (nonce) => {
    const { messages } = run('{ authChallenge(address: "0x") { nonce } }', { authChallenge: { nonce } });
    expect(messages?.[0]).toMatch(/^Invariant: /);
  });

  it.each(['text', 7, [1]])('fail as TypedData when they are %j', (typedData) => {
    const { messages } = run('{ authChallenge(address: "0x") { typedData } }', { authChallenge: { typedData } });
    expect(messages?.[0]).toMatch(/is not TypedData$/);
  });

  it('fail as Cursor when they are not text', () => {
    const markets = { pageInfo: { endCursor: 7 } };
    expect(run('{ markets { pageInfo { endCursor } } }', { markets }).messages?.[0]).toMatch(
      /^Invariant: 7 is not a Cursor$/,
    );
  });
});
