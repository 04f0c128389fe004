/** Who gets through to which of the 72 fields, with credentials as they come over the wire. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS, type ApiScope, isRootField, OPERATIONS, type RootField } from '../../../src/protocol/index.ts';
import { bearer, type Caller, logIn, openVenue, present, type Venue } from './harness.ts';

const SCOPES: readonly ApiScope[] = ['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'];
const FIELDS = Object.keys(ACCESS).filter(isRootField);
/** What each scope covers, as docs/spec/venue.md#scopes says it, not as the code does. */
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
const NEEDED = new Map(Object.entries(BY_SCOPE).flatMap(([need, fields]) => fields.map((field) => [field, need])));

let venue: Venue;
let session: Caller;
const keys = new Map<ApiScope, Caller>();

beforeAll(async () => {
  const buckets = { capacity: 1_000_000, perSecond: 1 };
  venue = await openVenue({ settings: { buckets: { read: buckets, order: buckets, cancel: buckets } } });
  ({ caller: session } = await logIn(venue));
  for (const scope of SCOPES) {
    const { data } = await venue.ask(OPERATIONS.createApiKey, { input: { label: scope, scopes: [scope] } }, session);
    keys.set(scope, bearer(present(data?.createApiKey).secret));
  }
});
afterAll(() => venue.close());

/** What the gate says to a field, before anything runs; undefined where it lets it through. */
function gateSays(field: RootField, caller: Caller): string | undefined {
  const operation = OPERATIONS[field];
  const variables = argumentsFor(field);
  const request = { query: operation.text, variables };
  const context = venue.context(caller);
  if (operation.kind === 'subscription') {
    const opened = venue.service.open(venue.service.read(request), context);
    const [problem] = opened.kind === 'failed' ? (opened.answer.errors ?? []) : [];
    if (problem?.path.length === 0) throw new Error(`${field} did not come to the gate: ${problem.message}`);
    return problem?.message;
  }
  const reply = venue.service.answer(request, context);
  if (reply instanceof Promise) {
    reply.catch(() => undefined);
    return undefined;
  }
  const [error] = reply.answer.errors ?? [];
  if (error?.path.length === 0) throw new Error(`${field} did not come to the gate: ${error.message}`);
  const isGate = error?.message === 'UNAUTHORIZED' || error?.message.startsWith('forbidden') === true;
  return isGate && reply.answer.data === null ? error?.message : undefined;
}

/** Arguments that are valid in form; what they mean does not matter to the gate. */
function argumentsFor(field: RootField): Record<string, unknown> {
  const type = [venue.schema.getQueryType(), venue.schema.getMutationType(), venue.schema.getSubscriptionType()]
    .map((root) => root?.getFields()[field])
    .find((found) => found !== undefined);
  return Object.fromEntries(present(type).args.map(({ name, type: kind }) => [name, valueFor(String(kind))]));
}

function valueFor(type: string): unknown {
  if (!type.endsWith('!')) return undefined;
  const plain = type.slice(0, -1);
  if (plain.startsWith('[')) return [];
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
  }[plain];
  if (scalar !== undefined) return scalar;
  const input = venue.schema.getType(plain);
  if (input === undefined || !('getFields' in input)) throw new Error(`no value for ${type}`);
  if (plain === 'SelfTradePrevention') return 'CANCEL_TAKER';
  return Object.fromEntries(
    Object.values(input.getFields()).map(({ name, type: kind }) => [name, enumOr(String(kind))]),
  );
}

function enumOr(type: string): unknown {
  const enums: Readonly<Record<string, string>> = { 'TimeInForce!': 'GTC', 'SigningKind!': 'ORDER' };
  if (type === 'Boolean!') return false;
  return enums[type] ?? valueFor(type);
}

describe('the gate', () => {
  it('covers all 72 root fields', () => {
    expect(FIELDS).toHaveLength(72);
    expect(FIELDS.filter((field) => !NEEDED.has(field))).toHaveLength(25);
  });

  it.each(FIELDS)('allows only permitted callers for %s', (field) => {
    const need = NEEDED.get(field);
    const isOpen = need === undefined || need === 'LOGIN';
    const expected = (isGranted: boolean) => (isOpen || isGranted ? undefined : `forbidden: needs scope ${need}`);
    expect(gateSays(field, {})).toBe(isOpen ? undefined : 'UNAUTHORIZED');
    expect(gateSays(field, { authorization: 'Bearer pma_nonsense' })).toBe(isOpen ? undefined : 'UNAUTHORIZED');
    for (const [scope, key] of keys) expect(gateSays(field, key), `a key for ${scope}`).toBe(expected(scope === need));
    if (field !== 'revokeSession') expect(gateSays(field, session), 'a session').toBeUndefined();
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
    expect((await venue.ask(OPERATIONS.revokeSession, {}, session)).errors).toEqual([]);
    expect((await venue.ask(OPERATIONS.me, {}, session)).errors[0]?.message).toBe('UNAUTHORIZED');
  });
});
