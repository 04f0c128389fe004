import { describe, expect, it } from 'vitest';
import { invalidArgument, invalidId, venueSchema } from '../../../src/protocol/index.ts';
import type { Arguments, OperationContext, Reply, Viewer } from '../../../src/server/graphql/context.ts';
import type { GraphqlRequest } from '../../../src/server/graphql/request.ts';
import type { ResolverMap, RootResolver } from '../../../src/server/graphql/resolvers.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { ALL_SCOPES, asking, OWNER, stubResolvers } from './stub-venue.ts';

const KEY: Viewer = { account: '0xa1', credential: 'k1', kind: 'key', scopes: ['READ'] };

interface Harness {
  readonly service: GraphqlService;
  readonly logged: object[];
  /** Counts of read tokens that were taken. */
  readonly taken: number[];
  /** Returns the answer of a request. */
  ask(
    query: string,
    more?: { variables?: Arguments; operationName?: string; context?: OperationContext },
  ): Promise<unknown>;
}

function harness(
  {
    Query = {},
    Mutation = {},
    objects = {},
  }: {
    Query?: Record<string, RootResolver>;
    Mutation?: Record<string, RootResolver>;
    objects?: NonNullable<ResolverMap['objects']>;
  } = {},
  wait: () => number | undefined = () => undefined,
): Harness {
  const schema = venueSchema();
  const stubs = stubResolvers(schema, 3);
  const logged: object[] = [];
  const taken: number[] = [];
  const service = new GraphqlService({
    schema,
    resolvers: { Query: { ...stubs.Query, ...Query }, Mutation: { ...stubs.Mutation, ...Mutation }, objects },
    quota: {
      take: (_context, bucket, count) => {
        if (bucket === 'read') taken.push(count);
        return wait();
      },
      charge: () => undefined,
    },
    log: { info: () => undefined, warn: () => undefined, error: (fields) => void logged.push(fields) },
  });
  return {
    service,
    logged,
    taken,
    ask: async (query, { variables, operationName, context = asking() } = {}) =>
      (await service.answer({ query, variables, operationName }, context)).answer,
  };
}

const NOBODY: OperationContext = { ...asking(), viewer: undefined };
const health = { status: 'OK', mode: 'NORMAL', version: '1', serverTime: 0, engineSeq: 7 };

describe('authorization', () => {
  const ran: string[] = [];
  const { ask, taken } = harness({
    Query: {
      health: () => {
        ran.push('health');
        return health;
      },
    },
  });

  it('runs nothing when a protected field lacks credentials and names each such field by response key', async () => {
    const query = `query ($yes: Boolean!) {
      health { mode } mine: me { id } ...Rest balance @skip(if: $yes) { seq } portfolio @include(if: $yes) { cashCents }
    } fragment Rest on Query { ... { wallets { id } } mine: me { email } }`;
    expect(await ask(query, { variables: { yes: true }, context: NOBODY })).toEqual({
      data: null,
      errors: [
        { message: 'UNAUTHORIZED', path: ['mine'] },
        { message: 'UNAUTHORIZED', path: ['wallets'] },
        { message: 'UNAUTHORIZED', path: ['portfolio'] },
      ],
    });
    expect(ran).toEqual([]);
  });

  it('ignores protected fields that directives exclude', async () => {
    const query = 'query ($no: Boolean = false) { health { mode } me @include(if: $no) { id } }';
    expect(await ask(query, { context: NOBODY })).toEqual({ data: { health: { mode: 'NORMAL' } } });
    expect(ran).toEqual(['health']);
  });

  it('names the missing scope of a key and the fields that need a session', async () => {
    const query =
      'mutation { a: heartbeat(timeoutMs: 1000) { armed } b: revokeSession { revoked } c: provisionWallet(chainId: 1) { wallet { id } } }';
    expect(await ask(query, { context: asking(KEY) })).toEqual({
      data: null,
      errors: [
        { message: 'forbidden: needs scope TRADE', path: ['a'] },
        { message: 'forbidden: needs scope SESSION', path: ['b'] },
        { message: 'forbidden: needs scope WITHDRAW', path: ['c'] },
      ],
    });
    expect(await ask('{ me { __typename } }', { context: asking(KEY) })).toEqual({
      data: { me: { __typename: 'Account' } },
    });
    const all = asking({ ...KEY, scopes: ALL_SCOPES });
    expect(await ask('mutation { revokeSession { revoked } }', { context: all })).toMatchObject({ data: null });
  });

  it('allows the two logins without credentials', async () => {
    const answer = await ask('mutation { refreshSession(refreshToken: "x") { tokenType } }', { context: NOBODY });
    expect(answer).toMatchObject({ data: { refreshSession: {} } });
  });

  it('takes one read token for each root field, none for orders and cancels, one for a refused request', async () => {
    taken.length = 0;
    await ask('{ a: health { mode } b: health { mode } __typename }');
    await ask(
      'mutation { cancelAllOrders { newEpoch } cancelOrders(ids: []) { seq } heartbeat(timeoutMs: 1) { armed } }',
    );
    await ask('mutation { cancelAllOrders { newEpoch } }');
    await ask('{ me { id } }', { context: NOBODY });
    expect(taken).toEqual([3, 1, 1]);
  });

  it('refuses the whole request when read tokens are used up', async () => {
    const { service } = harness({}, () => 250);
    const reply = await service.answer({ query: '{ health { mode } }' }, asking());
    expect(reply).toEqual({
      answer: { data: null, errors: [{ message: 'rate limited: retry in 250 ms', path: [] }] },
      retryAfterMs: 250,
    });
  });
});

describe('failures', () => {
  it('do not affect other root fields', async () => {
    const { ask, logged } = harness({
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
    const answer = await ask('{ m: market(id: "zz") { id } health { engineSeq } topics { id } }');
    expect(answer).toEqual({
      data: { m: null, health: { engineSeq: '7' }, topics: null },
      errors: [
        { message: 'invalid market ID: got zz', path: ['m'] },
        { message: 'internal error r1', path: ['topics'] },
      ],
    });
    expect(logged).toEqual([{ err: expect.any(TypeError), requestId: 'r1', path: ['topics'] }]);
  });

  it('below a list have a path without indexes and make the next nullable parent null', async () => {
    const market = { id: 'a', slug: 's', yesPriceBps: 5_000.5 };
    const { ask } = harness({
      Query: { markets: () => ({ edges: [{ node: { ...market, yesPriceBps: 1 } }, { node: market }] }) },
    });
    const query = '{ list: markets { edges { item: node { price: yesPriceBps } } } }';
    for (let time = 0; time < 5; time += 1) {
      expect(await ask(query)).toEqual({
        data: { list: null },
        errors: [{ message: 'internal error r1', path: ['list', 'edges', 'item', 'price'] }],
      });
    }
  });

  it('of a login make data null and stop later fields', async () => {
    const ran: string[] = [];
    const { ask } = harness({
      Mutation: {
        createSession: () => {
          throw invalidArgument('signature');
        },
        revokeSession: () => {
          ran.push('revokeSession');
          return { revoked: true };
        },
      },
    });
    const input = '{ address: "0x", nonce: "0x", issuedAt: "0", expiresAt: "0", signature: "0x" }';
    expect(await ask(`mutation { createSession(input: ${input}) { tokenType } revokeSession { revoked } }`)).toEqual({
      data: null,
      errors: [{ message: 'invalid argument: signature', path: ['createSession'] }],
    });
    expect(ran).toEqual([]);
  });

  it('of an argument that is null through a variable belong to its field', async () => {
    const { ask } = harness({ Query: { health: () => health } });
    const query = 'query ($id: ID = "x") { resolutionOutcome(marketId: $id) { status } health { mode } }';
    expect(await ask(query, { variables: { id: null } })).toEqual({
      data: { resolutionOutcome: null, health: { mode: 'NORMAL' } },
      errors: [{ message: expect.stringContaining('must not be null'), path: ['resolutionOutcome'] }],
    });
  });
});

describe('execution', () => {
  it('is synchronous when all resolvers are', () => {
    const { service } = harness();
    const reply: Reply | Promise<Reply> = service.answer({ query: '{ health { mode } me { id } }' }, asking());
    expect(reply).not.toBeInstanceOf(Promise);
  });

  it('runs query fields concurrently', async () => {
    const begun: string[] = [];
    const held = Promise.withResolvers<readonly object[]>();
    const { ask } = harness({
      Query: {
        categories: () => {
          begun.push('categories');
          return held.promise;
        },
        wallets: async () => {
          begun.push('wallets');
          throw invalidArgument('later');
        },
        health: () => {
          begun.push('health');
          return health;
        },
      },
    });
    const answer = ask('{ categories { name } health { mode } }');
    expect(begun).toEqual(['categories', 'health']);
    held.resolve([]);
    expect(await answer).toEqual({ data: { categories: [], health: { mode: 'NORMAL' } } });
    expect(await ask('{ wallets { id } }')).toEqual({
      data: null,
      errors: [{ message: 'invalid argument: later', path: ['wallets'] }],
    });
  });

  it('runs mutation fields one after the other', async () => {
    let epoch = 0;
    const raise = (): object => {
      epoch += 1;
      // Read when the answer is made, not when the resolver ran.
      return {
        cancelledIds: [],
        get newEpoch() {
          return epoch;
        },
        seq: 1,
      };
    };
    const { ask } = harness({
      Mutation: {
        cancelAllOrders: raise,
        disarmHeartbeat: async () => {
          epoch += 10;
          return { armed: false, serverTime: epoch };
        },
      },
    });
    const query =
      'mutation { a: cancelAllOrders { newEpoch } b: disarmHeartbeat { armed } c: cancelAllOrders { newEpoch } }';
    expect(await ask(query)).toEqual({ data: { a: { newEpoch: '1' }, b: { armed: false }, c: { newEpoch: '12' } } });
  });
});

describe('resolvers', () => {
  it('have to cover exactly the fields of the schema', () => {
    const schema = venueSchema();
    const { Query, Mutation } = stubResolvers(schema, 1);
    const { health: _left, ...rest } = Query;
    const make = (resolvers: ResolverMap): GraphqlService =>
      new GraphqlService({
        schema,
        resolvers,
        quota: { take: () => undefined, charge: () => undefined },
        log: console,
      });
    expect(() => make({ Query: rest, Mutation })).toThrow('Query.health has no resolver');
    expect(() => make({ Query: { ...Query, x: () => 1 }, Mutation })).toThrow('Query.x is not in the schema');
    expect(() => make({ Query, Mutation, objects: { Market: { x: () => 1 } } })).toThrow(
      'Market.x is not in the schema',
    );
  });

  it('of objects resolve fields that the object lacks, with the context', async () => {
    const { ask } = harness({
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
      expect(await ask('{ market(id: "m") { id description } }')).toEqual({
        data: { market: { id: 'm', description: 'm for r1' } },
      });
      expect(await ask('{ market(id: "m") { id e: eventId } }')).toEqual({
        data: { market: { id: 'm', e: null } },
        errors: [{ message: 'invalid argument: event', path: ['market', 'e'] }],
      });
    }
  });

  it('receive arguments as the schema defines them, whether inline or in variables', async () => {
    const seen: unknown[] = [];
    const { ask } = harness({
      Query: { market: (args) => seen.push(args) && null, orderBook: (args) => seen.push(args) && null },
    });
    await ask('query ($id: ID, $slug: String) { market(id: $id, slug: $slug) { id } }', {
      variables: { id: 7, slug: null },
    });
    await ask('query ($id: ID) { market(id: $id) { id } }', { variables: { id: 'x', other: 1 } });
    await ask('query ($id: ID!, $depth: Int) { orderBook(marketId: $id, depth: $depth) { seq } }', {
      variables: { id: 'x' },
    });
    await ask('{ orderBook(marketId: "y", outcome: NO) { seq } }');
    expect(seen).toEqual([
      { id: '7', slug: null },
      { id: 'x' },
      { marketId: 'x', outcome: 'YES', depth: 50 },
      { marketId: 'y', outcome: 'NO', depth: 50 },
    ]);
  });
});

describe('operations', () => {
  it('are chosen by name', async () => {
    const { ask } = harness({ Query: { health: () => health } });
    const query = 'query A { health { mode } } query B { __typename }';
    expect(await ask(query, { operationName: 'B' })).toEqual({ data: { __typename: 'Query' } });
    expect(await ask(query, { operationName: 'A' })).toEqual({ data: { health: { mode: 'NORMAL' } } });
    expect(await ask('mutation { __typename }')).toEqual({ data: { __typename: 'Mutation' } });
  });
});

describe('subscriptions', () => {
  const query =
    'subscription ($id: ID!, $depth: Int) { book: orderBookUpdated(marketId: $id, depth: $depth) { seq bids { priceBps } } }';
  const { service, taken } = harness();
  const opened = (request: GraphqlRequest, context: OperationContext) => service.open(service.read(request), context);
  const planned = (request: GraphqlRequest, context: OperationContext) => {
    const found = opened(request, context);
    if (found.kind !== 'subscription') throw new Error(JSON.stringify(found));
    return found.plan;
  };

  it('have a plan with field, key, arguments and the same shape for equal answers', () => {
    const plan = planned({ query, variables: { id: 'm' } }, NOBODY);
    expect([plan.field, plan.key, plan.args]).toEqual(['orderBookUpdated', 'book', { marketId: 'm', depth: 50 }]);
    const same = planned({ query, variables: { id: 'm', ignored: 1 } }, asking());
    const inline = query.replace('$id: ID!, ', '').replace('$id', '"n"');
    const spelled = planned({ query: inline.replaceAll(' ', '\n'), variables: {} }, asking());
    const fewer = planned({ query: query.replace('seq ', ''), variables: { id: 'm' } }, asking());
    const named = planned({ query: query.replace('book:', 'b:'), variables: { id: 'm' } }, asking());
    const shapes = [same, spelled, fewer, named].map(({ shape }) => shape === plan.shape);
    expect(shapes).toEqual([true, true, false, false]);
    expect(taken).toEqual([1, 1, 1, 1, 1]);
  });

  it('have a different shape if a directive differs', () => {
    const conditional = 'subscription ($a: Boolean = true) { venueStatusChanged { mode message @include(if: $a) } }';
    const shapes = [{}, { a: true }, { a: false }].map(
      (variables) => planned({ query: conditional, variables }, NOBODY).shape,
    );
    expect(shapes[0]).toBe(shapes[1]);
    expect(shapes[2]).not.toBe(shapes[1]);
  });

  it('turn events into frames', () => {
    const plan = planned({ query, variables: { id: 'm' } }, asking());
    for (const seq of [1, 2, 3, 4]) {
      expect(plan.frame({ seq, bids: [{ priceBps: 10 * seq }] }, asking())).toEqual({
        data: { book: { seq: String(seq), bids: [{ priceBps: 10 * seq }] } },
      });
    }
    expect(plan.frame({ seq: null, bids: [] }, asking(OWNER, 'r9'))).toEqual({
      data: { book: null },
      errors: [{ message: 'internal error r9', path: ['book', 'seq'] }],
    });
  });

  it('are checked for credentials and scopes', () => {
    expect(opened({ query: 'subscription { b: balanceUpdated { seq } }' }, NOBODY)).toEqual({
      kind: 'failed',
      answer: { data: null, errors: [{ message: 'UNAUTHORIZED', path: ['b'] }] },
    });
  });

  it('are distinguished from queries, mutations and invalid requests', () => {
    expect(opened({ query: '{ __typename }' }, NOBODY)).toEqual({
      kind: 'answered',
      answer: { data: { __typename: 'Query' } },
    });
    expect(opened({ query: '{ me { id } }' }, NOBODY).kind).toBe('answered');
    expect(opened({ query: 'query ($id: ID!) { market(id: $id) { id } }' }, NOBODY).kind).toBe('answered');
    for (const nothing of ['{ nothing }', '{', 'query A { __typename } query B { __typename }'])
      expect(opened({ query: nothing }, NOBODY).kind).toBe('failed');
  });
});
