import { describe, expect, it } from 'vitest';
import type { OperationContext, Viewer } from '../../../src/server/graphql/context.ts';
import { ALL_SCOPES, harness, operationContext } from './stub-venue.ts';

const KEY: Viewer = { account: '0xa1', credential: 'k1', kind: 'key', scopes: ['READ'] };
const ANONYMOUS: OperationContext = { ...operationContext(), viewer: undefined };
const health = { status: 'OK', mode: 'NORMAL', version: '1', serverTime: 0, engineSeq: 7 };

describe('authorization', () => {
  const executed: string[] = [];
  const { request, taken } = harness({
    Query: {
      health: () => {
        executed.push('health');
        return health;
      },
    },
  });

  it('executes nothing when a protected field lacks credentials and reports each such field by response key', async () => {
    const query = `query ($yes: Boolean!) {
      health { mode } mine: me { id } ...Rest balance @skip(if: $yes) { seq } portfolio @include(if: $yes) { cashCents }
    } fragment Rest on Query { ... { wallets { id } } mine: me { email } }`;
    expect(await request(query, { variables: { yes: true }, context: ANONYMOUS })).toEqual({
      data: null,
      errors: [
        { message: 'UNAUTHORIZED', path: ['mine'] },
        { message: 'UNAUTHORIZED', path: ['wallets'] },
        { message: 'UNAUTHORIZED', path: ['portfolio'] },
      ],
    });
    expect(executed).toEqual([]);
  });

  it('ignores protected fields that directives exclude', async () => {
    const query = 'query ($no: Boolean = false) { health { mode } me @include(if: $no) { id } }';
    expect(await request(query, { context: ANONYMOUS })).toEqual({ data: { health: { mode: 'NORMAL' } } });
    expect(executed).toEqual(['health']);
  });

  it('reports the missing scope of a key and the fields that need a session', async () => {
    const query =
      'mutation { a: heartbeat(timeoutMs: 1000) { armed } b: revokeSession { revoked } c: provisionWallet(chainId: 1) { wallet { id } } }';
    expect(await request(query, { context: operationContext(KEY) })).toEqual({
      data: null,
      errors: [
        { message: 'forbidden: needs scope TRADE', path: ['a'] },
        { message: 'forbidden: needs scope SESSION', path: ['b'] },
        { message: 'forbidden: needs scope WITHDRAW', path: ['c'] },
      ],
    });
    expect(await request('{ me { __typename } }', { context: operationContext(KEY) })).toEqual({
      data: { me: { __typename: 'Account' } },
    });
    const all = operationContext({ ...KEY, scopes: ALL_SCOPES });
    expect(await request('mutation { revokeSession { revoked } }', { context: all })).toMatchObject({ data: null });
  });

  it('allows refreshSession without credentials', async () => {
    const answer = await request('mutation { refreshSession(refreshToken: "x") { tokenType } }', {
      context: ANONYMOUS,
    });
    expect(answer).toMatchObject({ data: { refreshSession: {} } });
  });

  it('takes one read token for each root field and for a refused request, and none for orders and cancels', async () => {
    taken.length = 0;
    await request('{ a: health { mode } b: health { mode } __typename }');
    await request(
      'mutation { cancelAllOrders { newEpoch } cancelOrders(ids: []) { seq } heartbeat(timeoutMs: 1) { armed } }',
    );
    await request('mutation { cancelAllOrders { newEpoch } }');
    await request('{ me { id } }', { context: ANONYMOUS });
    expect(taken).toEqual([3, 1, 1]);
  });

  it('refuses the whole request when read tokens are used up', async () => {
    const { service } = harness({}, () => 250);
    const reply = await service.answer({ query: '{ health { mode } }' }, operationContext());
    expect(reply).toEqual({
      answer: { data: null, errors: [{ message: 'rate limited: retry in 250 ms', path: [] }] },
      retryAfterMs: 250,
    });
  });
});
