/** An order that is fine, and every way in which it could not be: one violation for each reason, in the order of tests. */
import type { RejectReason } from '../../../src/domain/index.ts';
import type { Refusal, VenueMode } from '../../../src/exchange/index.ts';
import { Harness, type OrderOverrides, SHARE, START } from './harness.ts';

/** What differs from the order that is fine. Two violations go together unless they want the same thing otherwise. */
export interface Violation {
  readonly reason: RejectReason;
  readonly overrides?: OrderOverrides;
  readonly account?: number;
  readonly credential?: number;
  readonly mode?: VenueMode;
  /** What the refusal contains beside the reason. */
  readonly reported: Omit<Refusal, 'reason'>;
}

const RICH = 1;
const POOR = 2;
const LAPSED = 8;
const REVOKED = 9;
const TRIPPED = 1;

/** A venue where each of `VIOLATIONS` fails for its own reason only. */
export function violable(): Harness {
  const harness = new Harness();
  harness.account(1000);
  harness.account(1);
  const house = harness.account(100_000, true);
  for (let market = 0; market < 3; market++) harness.market({ feeRateBps: 100 });
  harness.send('closeEarly', { market: 1 });
  harness.send('halt', { market: 2 });
  harness.send('configure', { config: { maxExposurePerMarket: 100_000_000 } });
  harness.buy(house, 'NO', 4500, 5);
  harness.send('createGroup', { account: RICH, maxFilled: SHARE, window: 1000 });
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
  { reason: 'CONFLICT', overrides: { clientOrderId: 'taken' }, account: RICH, reported: { field: 'clientOrderId' } },
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
  { reason: 'GROUP_TRIPPED', overrides: { group: TRIPPED } as never, account: RICH, reported: { field: 'groupId' } },
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
    account: RICH,
    reported: { field: 'shares', limit: 100_000_000, value: 126_100_000, unit: 'MICRO_USD' },
  },
  {
    reason: 'INSUFFICIENT_BALANCE',
    overrides: { side: 'BUY' },
    account: POOR,
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

/** Several at once; undefined when they do not go together. */
export function together(violations: readonly Violation[]): Omit<Violation, 'reason' | 'reported'> | undefined {
  const overrides = new Map<string, unknown>();
  const rest = new Map<string, unknown>();
  for (const { reason: _reason, reported: _told, overrides: own = {}, ...other } of violations) {
    if (!agrees(overrides, own) || !agrees(rest, other)) return undefined;
  }
  return { overrides: Object.fromEntries(overrides), ...Object.fromEntries(rest) };
}

function agrees(all: Map<string, unknown>, more: object): boolean {
  for (const [key, value] of Object.entries(more)) {
    if (all.has(key) && all.get(key) !== value) return false;
    all.set(key, value);
  }
  return true;
}
