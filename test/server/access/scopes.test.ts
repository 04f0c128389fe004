/** The access check of all 72 root fields for each kind of credential. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS, type ApiScope, isRootField, type RootField } from '../../../src/protocol/index.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { bearer, type Caller, logIn, openVenue, unwrap, type Venue } from './harness.ts';

const SCOPES: readonly ApiScope[] = ['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'];
const FIELDS = Object.keys(ACCESS).filter(isRootField);
/** The fields of each scope, copied from docs/spec/venue.md#scopes and not from the code. */
const TRADING =
  'placeOrder placeOrders cancelOrder cancelOrders cancelMarketOrders cancelAllOrders replaceOrder replaceOrders reduceOrder heartbeat disarmHeartbeat createOrderGroup updateOrderGroup deleteOrderGroup splitPosition mergePosition claimPosition claimAllPositions';
const READING =
  'me balance ledger positions claimablePositions portfolio orders order fills signingParams wallets withdrawals createdMarkets tradingSafety orderEvents positionUpdated balanceUpdated';
const BY_SCOPE: Readonly<Record<ApiScope | 'SESSION' | 'LOGIN', readonly string[]>> = {
  READ: READING.split(' '),
  TRADE: TRADING.split(' '),
  CREATE_MARKET: ['createMarket', 'cancelMarket', 'disputeResolution'],
  WITHDRAW: ['provisionWallet', 'executeWithdrawal'],
  SESSION: ['revokeSession', 'createApiKey', 'revokeApiKey', 'requestEmailVerification', 'verifyEmail'],
  LOGIN: ['createSession', 'refreshSession'],
};
const SCOPE_OF = new Map(Object.entries(BY_SCOPE).flatMap(([scope, fields]) => fields.map((field) => [field, scope])));

let venue: Venue;
let session: Caller;
const keys = new Map<ApiScope, Caller>();

beforeAll(async () => {
  const buckets = { capacity: 1_000_000, perSecond: 1 };
  venue = await openVenue({ settings: { buckets: { read: buckets, order: buckets, cancel: buckets } } });
  ({ caller: session } = await logIn(venue));
  for (const scope of SCOPES) {
    const { data } = await venue.request(
      ALL_OPERATIONS.createApiKey,
      { input: { label: scope, scopes: [scope] } },
      session,
    );
    keys.set(scope, bearer(unwrap(data?.createApiKey).secret));
  }
});
afterAll(() => venue.close());

/** The error of the access check for a field; undefined when the caller may use the field. */
function accessErrorOf(field: RootField, caller: Caller): string | undefined {
  const operation = ALL_OPERATIONS[field];
  const variables = argumentsFor(field);
  const request = { query: operation.text, variables };
  const context = venue.context(caller);
  if (operation.kind === 'subscription') {
    const opened = venue.service.open(venue.service.plan(request), context);
    const [problem] = opened.kind === 'failed' ? (opened.answer.errors ?? []) : [];
    if (problem?.path.length === 0) throw new Error(`${field} did not reach the access check: ${problem.message}`);
    return problem?.message;
  }
  const reply = venue.service.answer(request, context);
  if (reply instanceof Promise) {
    reply.catch(() => undefined);
    return undefined;
  }
  const [error] = reply.answer.errors ?? [];
  if (error?.path.length === 0) throw new Error(`${field} did not reach the access check: ${error.message}`);
  const isAccessError = error?.message === 'UNAUTHORIZED' || error?.message.startsWith('forbidden') === true;
  return isAccessError && reply.answer.data === null ? error?.message : undefined;
}

/** Arguments of the right types. The access check does not read their values. */
function argumentsFor(field: RootField): Record<string, unknown> {
  const type = [venue.schema.getQueryType(), venue.schema.getMutationType(), venue.schema.getSubscriptionType()]
    .map((root) => root?.getFields()[field])
    .find((found) => found !== undefined);
  return Object.fromEntries(unwrap(type).args.map(({ name, type: kind }) => [name, valueFor(String(kind))]));
}

function valueFor(type: string): unknown {
  if (!type.endsWith('!')) return undefined;
  const nonNull = type.slice(0, -1);
  if (nonNull.startsWith('[')) return [];
  const scalar = {
    ID: 'x',
    Hex: '0x',
    String: 'x',
    UintString: '1',
    Int: 1,
    Float: 1,
    Time: '2030-01-01T00:00:00Z',
    BetOutcome: 'YES',
    OrderSide: 'BUY',
  }[nonNull];
  if (scalar !== undefined) return scalar;
  const input = venue.schema.getType(nonNull);
  if (input === undefined || !('getFields' in input)) throw new Error(`no value for ${type}`);
  if (nonNull === 'SelfTradePrevention') return 'CANCEL_TAKER';
  return Object.fromEntries(
    Object.values(input.getFields()).map(({ name, type: kind }) => [name, inputValueFor(String(kind))]),
  );
}

function inputValueFor(type: string): unknown {
  const enums: Readonly<Record<string, string>> = { 'TimeInForce!': 'GTC', 'SigningKind!': 'ORDER' };
  if (type === 'Boolean!') return false;
  return enums[type] ?? valueFor(type);
}

describe('the access check', () => {
  it('covers all 72 root fields', () => {
    expect(FIELDS).toHaveLength(72);
    expect(FIELDS.filter((field) => !SCOPE_OF.has(field))).toHaveLength(25);
  });

  it.each(FIELDS)('allows only permitted callers for %s', (field) => {
    const needed = SCOPE_OF.get(field);
    const isOpen = needed === undefined || needed === 'LOGIN';
    const expected = (isGranted: boolean) => (isOpen || isGranted ? undefined : `forbidden: needs scope ${needed}`);
    expect(accessErrorOf(field, {})).toBe(isOpen ? undefined : 'UNAUTHORIZED');
    expect(accessErrorOf(field, { authorization: 'Bearer pma_nonsense' })).toBe(isOpen ? undefined : 'UNAUTHORIZED');
    for (const [scope, key] of keys)
      expect(accessErrorOf(field, key), `a key for ${scope}`).toBe(expected(scope === needed));
    if (field !== 'revokeSession') expect(accessErrorOf(field, session), 'a session').toBeUndefined();
  });

  it('returns an error for each forbidden field in document order and runs nothing', async () => {
    const query =
      'mutation { a: cancelAllOrders { seq } b: revokeSession { revoked } c: provisionWallet(chainId: 1) { wallet { id } } }';
    const { answer } = await venue.service.answer({ query }, venue.context(keys.get('TRADE')));
    expect(answer).toEqual({
      data: null,
      errors: [
        { message: 'forbidden: needs scope SESSION', path: ['b'] },
        { message: 'forbidden: needs scope WITHDRAW', path: ['c'] },
      ],
    });
  });

  it('allows a session to end itself', async () => {
    expect((await venue.request(ALL_OPERATIONS.revokeSession, {}, session)).errors).toEqual([]);
    expect((await venue.request(ALL_OPERATIONS.me, {}, session)).errors[0]?.message).toBe('UNAUTHORIZED');
  });
});
