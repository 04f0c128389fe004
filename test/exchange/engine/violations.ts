/** A valid order and one violation for each reason of a refusal, in the order in which the exchange checks. */
import type { RejectReason, VenueMode } from '../../../src/domain/index.ts';
import type { Refusal } from '../../../src/exchange/index.ts';
import { Harness, type OrderOverrides, SHARE, START } from './harness.ts';

/** Differences from the valid order. Two violations can be combined unless they set the same member differently. */
export interface Violation {
  readonly reason: RejectReason;
  readonly overrides?: OrderOverrides;
  readonly account?: number;
  readonly credential?: number;
  readonly mode?: VenueMode;
  /** Members of the refusal besides the reason. */
  readonly reported: Omit<Refusal, 'reason'>;
}

const MAIN = 1;
const LOW_CASH = 2;
const LAPSED = 8;
const REVOKED = 9;
const TRIPPED = 1;

/** An exchange in which each of `VIOLATIONS` is refused for its own reason only. */
export function exchangeForViolations(): Harness {
  const harness = new Harness();
  harness.account(1000);
  harness.account(1);
  const unlimited = harness.unlimitedAccount(100_000);
  for (let market = 0; market < 3; market++) harness.market({ feeRateBps: 100 });
  harness.send('closeEarly', { market: 1 });
  harness.send('halt', { market: 2 });
  harness.send('configure', { config: { maxExposurePerMarket: 100_000_000 } });
  harness.buy(unlimited, 'NO', 4500, 5);
  harness.send('createGroup', { account: MAIN, maxFilled: SHARE, window: 1000 });
  const inGroup = harness.terms({ price: 5500, size: 2 });
  harness.send('place', { ...inGroup, group: TRIPPED, clientOrderId: 'taken' });
  harness.send('heartbeat', { credential: LAPSED, timeout: 1000 });
  harness.send('revokeCredential', { credential: REVOKED });
  harness.time += 1000;
  harness.send('tick');
  return harness;
}

const NOW = START + 1000;

export const VIOLATIONS: readonly Violation[] = [
  { reason: 'SIGNER_NOT_ALLOWED', credential: REVOKED, reported: {} },
  { reason: 'NOT_FOUND', overrides: { market: 99 }, reported: { field: 'marketId' } },
  { reason: 'CONFLICT', overrides: { clientOrderId: 'taken' }, account: MAIN, reported: { field: 'clientOrderId' } },
  { reason: 'GEO_BLOCKED', overrides: { restriction: 'GEO_BLOCKED' }, reported: {} },
  { reason: 'EMAIL_NOT_VERIFIED', overrides: { restriction: 'EMAIL_NOT_VERIFIED' }, reported: {} },
  { reason: 'VENUE_MODE', mode: 'CANCEL_ONLY', reported: {} },
  { reason: 'MARKET_NOT_OPEN', overrides: { market: 1 }, reported: { field: 'marketId' } },
  { reason: 'MARKET_HALTED', overrides: { market: 2 }, reported: { field: 'marketId' } },
  { reason: 'INVALID_ORDER', overrides: { postOnly: true, timeInForce: 'FAK' }, reported: { field: 'postOnly' } },
  {
    reason: 'INVALID_TICK',
    overrides: { price: 5003 },
    reported: { field: 'priceBps', limit: 10, value: 5003, unit: 'BPS' },
  },
  {
    reason: 'INVALID_LOT',
    overrides: { microShares: 2_000_001 },
    reported: { field: 'shares', limit: 10_000, value: 2_000_001, unit: 'MICRO_SHARES' },
  },
  {
    reason: 'EXPIRED_PARAMS',
    overrides: { timeInForce: 'GTD', expiration: NOW },
    reported: { field: 'expiration', limit: NOW, value: NOW, unit: 'MILLISECONDS' },
  },
  {
    reason: 'STALE_TIMESTAMP',
    overrides: { timestampMs: NOW - 30_001 } as never,
    reported: { field: 'timestampMs', limit: 30_000, value: 30_001, unit: 'MILLISECONDS' },
  },
  { reason: 'STALE_EPOCH', overrides: { epoch: 7 }, reported: { field: 'epoch', limit: 0, value: 7, unit: 'COUNT' } },
  { reason: 'HEARTBEAT_LAPSED', credential: LAPSED, reported: {} },
  { reason: 'GROUP_TRIPPED', overrides: { group: TRIPPED } as never, account: MAIN, reported: { field: 'groupId' } },
  {
    reason: 'FEE_ABOVE_MAX',
    overrides: { maxFeeBps: 99 },
    reported: { field: 'maxFeeBps', limit: 100, value: 99, unit: 'BPS' },
  },
  {
    reason: 'BELOW_MIN',
    overrides: { side: 'BUY', microShares: 990_000 },
    reported: { field: 'shares', limit: SHARE, value: 990_000, unit: 'MICRO_SHARES' },
  },
  {
    reason: 'ABOVE_MAX',
    overrides: { side: 'BUY', microShares: 300_000 * SHARE },
    reported: { field: 'shares', limit: 100_000_000_000, value: 150_000_000_000, unit: 'MICRO_USD' },
  },
  {
    reason: 'EXPOSURE_LIMIT',
    overrides: { side: 'BUY', microShares: 250 * SHARE },
    account: MAIN,
    reported: { field: 'shares', limit: 100_000_000, value: 126_100_000, unit: 'MICRO_USD' },
  },
  {
    reason: 'INSUFFICIENT_BALANCE',
    overrides: { side: 'BUY' },
    account: LOW_CASH,
    reported: { field: 'shares', limit: 1_000_000, value: 5_025_000, unit: 'MICRO_USD' },
  },
  {
    reason: 'INSUFFICIENT_SHARES',
    overrides: { side: 'SELL', outcome: 'NO' },
    reported: { field: 'shares', limit: 0, value: 10 * SHARE, unit: 'MICRO_SHARES' },
  },
  {
    reason: 'POST_ONLY_WOULD_CROSS',
    overrides: { postOnly: true, price: 5600, timeInForce: 'GTC' },
    reported: { field: 'priceBps', limit: 5500, value: 5600, unit: 'BPS' },
  },
  {
    reason: 'FOK_NOT_FILLABLE',
    overrides: { timeInForce: 'FOK', postOnly: false },
    reported: { field: 'shares', limit: 0, value: 10_000_000, unit: 'MICRO_SHARES' },
  },
];

/** Combines violations; undefined when two of them set the same member differently. */
export function combine(violations: readonly Violation[]): Omit<Violation, 'reason' | 'reported'> | undefined {
  const overrides = new Map<string, unknown>();
  const rest = new Map<string, unknown>();
  for (const { reason: _reason, reported: _reported, overrides: own = {}, ...other } of violations) {
    if (!mergeInto(overrides, own) || !mergeInto(rest, other)) return undefined;
  }
  return { overrides: Object.fromEntries(overrides), ...Object.fromEntries(rest) };
}

/** Returns false when a member has a different value already. */
function mergeInto(members: Map<string, unknown>, added: object): boolean {
  for (const [key, value] of Object.entries(added)) {
    if (members.has(key) && members.get(key) !== value) return false;
    members.set(key, value);
  }
  return true;
}
