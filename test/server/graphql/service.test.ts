import { describe, expect, it } from 'vitest';
import { invalidArgument, invalidId, venueSchema } from '../../../src/protocol/index.ts';
import type { OperationContext, Reply } from '../../../src/server/graphql/context.ts';
import type { GraphqlRequest } from '../../../src/server/graphql/request.ts';
import type { ResolverMap } from '../../../src/server/graphql/resolvers.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { harness, OWNER, operationContext, stubResolvers } from './stub-venue.ts';

const ANONYMOUS: OperationContext = { ...operationContext(), viewer: undefined };
const health = { status: 'OK', mode: 'NORMAL', version: '1', serverTime: 0, engineSeq: 7 };

describe('failures', () => {
  it('do not affect other root fields', async () => {
    const { request, logged } = harness({
      Query: {
        market: ({ id }) => {
          throw invalidId('market', `got ${String(id)}`);
        },
        health: () => health,
        topics: () => {
          throw new TypeError('undefined is not a function');
        },
      },
    });
    const answer = await request('{ m: market(id: "zz") { id } health { engineSeq } topics { id } }');
    expect(answer).toEqual({
      data: { m: null, health: { engineSeq: '7' }, topics: null },
      errors: [
        { message: 'invalid market ID: got zz', path: ['m'] },
        { message: 'internal error r1', path: ['topics'] },
      ],
    });
    expect(logged).toEqual([{ err: expect.any(TypeError), requestId: 'r1', path: ['topics'] }]);
  });

  it('inside a list have a path without indexes and make the next nullable parent null', async () => {
    const market = { id: 'a', slug: 's', yesPriceBps: 5_000.5 };
    const { request } = harness({
      Query: { markets: () => ({ edges: [{ node: { ...market, yesPriceBps: 1 } }, { node: market }] }) },
    });
    const query = '{ list: markets { edges { item: node { price: yesPriceBps } } } }';
    for (let time = 0; time < 5; time += 1) {
      expect(await request(query)).toEqual({
        data: { list: null },
        errors: [{ message: 'internal error r1', path: ['list', 'edges', 'item', 'price'] }],
      });
    }
  });

  it('of a login make data null, and later fields do not run', async () => {
    const executed: string[] = [];
    const { request } = harness({
      Mutation: {
        createSession: () => {
          throw invalidArgument('signature');
        },
        revokeSession: () => {
          executed.push('revokeSession');
          return { revoked: true };
        },
      },
    });
    const input = '{ address: "0x", nonce: "0x", issuedAt: "0", expiresAt: "0", signature: "0x" }';
    expect(
      await request(`mutation { createSession(input: ${input}) { tokenType } revokeSession { revoked } }`),
    ).toEqual({
      data: null,
      errors: [{ message: 'invalid argument: signature', path: ['createSession'] }],
    });
    expect(executed).toEqual([]);
  });

  it('caused by a null variable have the path of the field', async () => {
    const { request } = harness({ Query: { health: () => health } });
    const query = 'query ($id: ID = "x") { resolutionOutcome(marketId: $id) { status } health { mode } }';
    expect(await request(query, { variables: { id: null } })).toEqual({
      data: { resolutionOutcome: null, health: { mode: 'NORMAL' } },
      errors: [{ message: expect.stringContaining('must not be null'), path: ['resolutionOutcome'] }],
    });
  });
});

describe('execution', () => {
  it('is synchronous when all resolvers are', () => {
    const { service } = harness();
    const reply: Reply | Promise<Reply> = service.answer(
      { query: '{ health { mode } me { id } }' },
      operationContext(),
    );
    expect(reply).not.toBeInstanceOf(Promise);
  });

  it('runs query fields concurrently', async () => {
    const started: string[] = [];
    const pending = Promise.withResolvers<readonly object[]>();
    const { request } = harness({
      Query: {
        categories: () => {
          started.push('categories');
          return pending.promise;
        },
        wallets: async () => {
          started.push('wallets');
          throw invalidArgument('later');
        },
        health: () => {
          started.push('health');
          return health;
        },
      },
    });
    const answer = request('{ categories { name } health { mode } }');
    expect(started).toEqual(['categories', 'health']);
    pending.resolve([]);
    expect(await answer).toEqual({ data: { categories: [], health: { mode: 'NORMAL' } } });
    expect(await request('{ wallets { id } }')).toEqual({
      data: null,
      errors: [{ message: 'invalid argument: later', path: ['wallets'] }],
    });
  });

  it('runs mutation fields one after the other', async () => {
    let epoch = 0;
    const raiseEpoch = (): object => {
      epoch += 1;
      // The getter shows the epoch at the time when the response is built.
      return {
        cancelledIds: [],
        get newEpoch() {
          return epoch;
        },
        seq: 1,
      };
    };
    const { request } = harness({
      Mutation: {
        cancelAllOrders: raiseEpoch,
        disarmHeartbeat: async () => {
          epoch += 10;
          return { armed: false, serverTime: epoch };
        },
      },
    });
    const query =
      'mutation { a: cancelAllOrders { newEpoch } b: disarmHeartbeat { armed } c: cancelAllOrders { newEpoch } }';
    expect(await request(query)).toEqual({
      data: { a: { newEpoch: '1' }, b: { armed: false }, c: { newEpoch: '12' } },
    });
  });
});

describe('resolvers', () => {
  it('are refused when a root field has none or when a field is not in the schema', () => {
    const schema = venueSchema();
    const { Query, Mutation } = stubResolvers(schema, 1);
    const { health: _health, ...rest } = Query;
    const make = (resolvers: ResolverMap): GraphqlService =>
      new GraphqlService({
        schema,
        resolvers,
        quota: { consume: () => 0, charge: () => undefined },
        log: console,
      });
    expect(() => make({ Query: rest, Mutation })).toThrow('Query.health has no resolver');
    expect(() => make({ Query: { ...Query, x: () => 1 }, Mutation })).toThrow('Query.x is not in the schema');
    expect(() => make({ Query, Mutation, objects: { Market: { x: () => 1 } } })).toThrow(
      'Market.x is not in the schema',
    );
  });

  it('of objects resolve fields that the object lacks and receive the context', async () => {
    const { request } = harness({
      Query: { market: () => ({ id: 'm' }) },
      objects: {
        Market: {
          description: (source: { readonly id: string }, { requestId }) => `${source.id} for ${requestId}`,
          eventId: () => {
            throw invalidArgument('event');
          },
        },
      },
    });
    for (let time = 0; time < 5; time += 1) {
      expect(await request('{ market(id: "m") { id description } }')).toEqual({
        data: { market: { id: 'm', description: 'm for r1' } },
      });
      expect(await request('{ market(id: "m") { id e: eventId } }')).toEqual({
        data: { market: { id: 'm', e: null } },
        errors: [{ message: 'invalid argument: event', path: ['market', 'e'] }],
      });
    }
  });

  it('receive arguments as the schema defines them, whether inline or in variables', async () => {
    const received: unknown[] = [];
    const { request } = harness({
      Query: { market: (args) => received.push(args) && null, orderBook: (args) => received.push(args) && null },
    });
    await request('query ($id: ID, $slug: String) { market(id: $id, slug: $slug) { id } }', {
      variables: { id: 7, slug: null },
    });
    await request('query ($id: ID) { market(id: $id) { id } }', { variables: { id: 'x', other: 1 } });
    await request('query ($id: ID!, $depth: Int) { orderBook(marketId: $id, depth: $depth) { seq } }', {
      variables: { id: 'x' },
    });
    await request('{ orderBook(marketId: "y", outcome: NO) { seq } }');
    expect(received).toEqual([
      { id: '7', slug: null },
      { id: 'x' },
      { marketId: 'x', outcome: 'YES', depth: 50 },
      { marketId: 'y', outcome: 'NO', depth: 50 },
    ]);
  });
});

describe('operations', () => {
  it('are selected by name', async () => {
    const { request } = harness({ Query: { health: () => health } });
    const query = 'query A { health { mode } } query B { __typename }';
    expect(await request(query, { operationName: 'B' })).toEqual({ data: { __typename: 'Query' } });
    expect(await request(query, { operationName: 'A' })).toEqual({ data: { health: { mode: 'NORMAL' } } });
    expect(await request('mutation { __typename }')).toEqual({ data: { __typename: 'Mutation' } });
  });
});

describe('subscriptions', () => {
  const query =
    'subscription ($id: ID!, $depth: Int) { book: orderBookUpdated(marketId: $id, depth: $depth) { seq bids { priceBps } } }';
  const { service, taken } = harness();
  const open = (request: GraphqlRequest, context: OperationContext) => service.open(service.plan(request), context);
  const planOf = (request: GraphqlRequest, context: OperationContext) => {
    const result = open(request, context);
    if (result.kind !== 'subscription') throw new Error(JSON.stringify(result));
    return result.plan;
  };

  it('have a plan with field, key and arguments, and the same shape for the same selection', () => {
    const plan = planOf({ query, variables: { id: 'm' } }, ANONYMOUS);
    expect([plan.field, plan.key, plan.args]).toEqual(['orderBookUpdated', 'book', { marketId: 'm', depth: 50 }]);
    const same = planOf({ query, variables: { id: 'm', ignored: 1 } }, operationContext());
    const inline = query.replace('$id: ID!, ', '').replace('$id', '"n"');
    const reformatted = planOf({ query: inline.replaceAll(' ', '\n'), variables: {} }, operationContext());
    const fewer = planOf({ query: query.replace('seq ', ''), variables: { id: 'm' } }, operationContext());
    const renamed = planOf({ query: query.replace('book:', 'b:'), variables: { id: 'm' } }, operationContext());
    const shapes = [same, reformatted, fewer, renamed].map(({ shape }) => shape === plan.shape);
    expect(shapes).toEqual([true, true, false, false]);
    expect(taken).toEqual([1, 1, 1, 1, 1]);
  });

  it('have a different shape when a directive excludes a field', () => {
    const conditional = 'subscription ($a: Boolean = true) { venueStatusChanged { mode message @include(if: $a) } }';
    const shapes = [{}, { a: true }, { a: false }].map(
      (variables) => planOf({ query: conditional, variables }, ANONYMOUS).shape,
    );
    expect(shapes[0]).toBe(shapes[1]);
    expect(shapes[2]).not.toBe(shapes[1]);
  });

  it('format events as frames', () => {
    const plan = planOf({ query, variables: { id: 'm' } }, operationContext());
    for (const seq of [1, 2, 3, 4]) {
      expect(plan.answerEvent({ seq, bids: [{ priceBps: 10 * seq }] }, operationContext())).toEqual({
        data: { book: { seq: String(seq), bids: [{ priceBps: 10 * seq }] } },
      });
    }
    expect(plan.answerEvent({ seq: null, bids: [] }, operationContext(OWNER, 'r9'))).toEqual({
      data: { book: null },
      errors: [{ message: 'internal error r9', path: ['book', 'seq'] }],
    });
  });

  it('of protected fields are refused without credentials', () => {
    expect(open({ query: 'subscription { b: balanceUpdated { seq } }' }, ANONYMOUS)).toEqual({
      kind: 'failed',
      answer: { data: null, errors: [{ message: 'UNAUTHORIZED', path: ['b'] }] },
    });
  });

  it('are distinguished from queries, mutations and invalid requests', () => {
    expect(open({ query: '{ __typename }' }, ANONYMOUS)).toEqual({
      kind: 'answered',
      answer: { data: { __typename: 'Query' } },
    });
    expect(open({ query: '{ me { id } }' }, ANONYMOUS).kind).toBe('answered');
    expect(open({ query: 'query ($id: ID!) { market(id: $id) { id } }' }, ANONYMOUS).kind).toBe('answered');
    for (const invalid of ['{ nothing }', '{', 'query A { __typename } query B { __typename }'])
      expect(open({ query: invalid }, ANONYMOUS).kind).toBe('failed');
  });
});
