/** An order that is fine, and every way in which it could not be: one violation for each reason, in the order of tests. */
import type { RejectReason } from '../../../src/domain/index.ts';
import type { Refusal, VenueMode } from '../../../src/exchange/index.ts';
import { SHARE, START, Stage, type Wish } from './stage.ts';

/** What differs from the order that is fine. Two violations go together unless they want the same thing otherwise. */
export interface Violation {
  readonly reason: RejectReason;
  readonly wish?: Wish;
  readonly account?: number;
  readonly credential?: number;
  readonly mode?: VenueMode;
  /** What the refusal contains beside the reason. */
  readonly told: Omit<Refusal, 'reason'>;
}

const RICH = 1;
const POOR = 2;
const LAPSED = 8;
const REVOKED = 9;
const TRIPPED = 1;

/** A venue where each of `VIOLATIONS` fails for its own reason only. */
export function violable(): Stage {
  const stage = new Stage();
  stage.account(1000);
  stage.account(1);
  const house = stage.account(100_000, true);
  for (let market = 0; market < 3; market++) stage.market({ feeRateBps: 100 });
  stage.send('closeEarly', { market: 1 });
  stage.send('halt', { market: 2 });
  stage.send('configure', { config: { maxExposurePerMarket: 100_000_000 } });
  stage.buy(house, 'NO', 4500, 5);
  stage.send('createGroup', { account: RICH, maxFilled: SHARE, window: 1000 });
  const inGroup = stage.terms({ price: 5500, size: 2 });
  stage.send('place', { ...inGroup, group: TRIPPED, clientOrderId: 'taken' });
  stage.send('heartbeat', { credential: LAPSED, timeout: 1000 });
  stage.send('revokeCredential', { credential: REVOKED });
  stage.time += 1000;
  stage.send('tick');
  return stage;
}

const NOW = START + 1000;

export const VIOLATIONS: readonly Violation[] = [
  { reason: 'SIGNER_NOT_ALLOWED', credential: REVOKED, told: {} },
  { reason: 'NOT_FOUND', wish: { market: 99 }, told: { field: 'marketId' } },
  { reason: 'CONFLICT', wish: { clientOrderId: 'taken' }, account: RICH, told: { field: 'clientOrderId' } },
  { reason: 'GEO_BLOCKED', wish: { restriction: 'GEO_BLOCKED' }, told: {} },
  { reason: 'EMAIL_NOT_VERIFIED', wish: { restriction: 'EMAIL_NOT_VERIFIED' }, told: {} },
  { reason: 'VENUE_MODE', mode: 'CANCEL_ONLY', told: {} },
  { reason: 'MARKET_NOT_OPEN', wish: { market: 1 }, told: { field: 'marketId' } },
  { reason: 'MARKET_HALTED', wish: { market: 2 }, told: { field: 'marketId' } },
  { reason: 'INVALID_ORDER', wish: { postOnly: true, timeInForce: 'FAK' }, told: { field: 'postOnly' } },
  {
    reason: 'INVALID_TICK',
    wish: { price: 5003 },
    told: { field: 'priceBps', limit: 10, value: 5003, unit: 'BPS' },
  },
  {
    reason: 'INVALID_LOT',
    wish: { microShares: 2_000_001 },
    told: { field: 'shares', limit: 10_000, value: 2_000_001, unit: 'MICRO_SHARES' },
  },
  {
    reason: 'EXPIRED_PARAMS',
    wish: { timeInForce: 'GTD', expiration: NOW },
    told: { field: 'expiration', limit: NOW, value: NOW, unit: 'MILLISECONDS' },
  },
  {
    reason: 'STALE_TIMESTAMP',
    wish: { timestampMs: NOW - 30_001 } as never,
    told: { field: 'timestampMs', limit: 30_000, value: 30_001, unit: 'MILLISECONDS' },
  },
  { reason: 'STALE_EPOCH', wish: { epoch: 7 }, told: { field: 'epoch', limit: 0, value: 7, unit: 'COUNT' } },
  { reason: 'HEARTBEAT_LAPSED', credential: LAPSED, told: {} },
  { reason: 'GROUP_TRIPPED', wish: { group: TRIPPED } as never, account: RICH, told: { field: 'groupId' } },
  {
    reason: 'FEE_ABOVE_MAX',
    wish: { maxFeeBps: 99 },
    told: { field: 'maxFeeBps', limit: 100, value: 99, unit: 'BPS' },
  },
  {
    reason: 'BELOW_MIN',
    wish: { side: 'BUY', microShares: 990_000 },
    told: { field: 'shares', limit: SHARE, value: 990_000, unit: 'MICRO_SHARES' },
  },
  {
    reason: 'ABOVE_MAX',
    wish: { side: 'BUY', microShares: 300_000 * SHARE },
    told: { field: 'shares', limit: 100_000_000_000, value: 150_000_000_000, unit: 'MICRO_USD' },
  },
  {
    reason: 'EXPOSURE_LIMIT',
    wish: { side: 'BUY', microShares: 250 * SHARE },
    account: RICH,
    told: { field: 'shares', limit: 100_000_000, value: 126_100_000, unit: 'MICRO_USD' },
  },
  {
    reason: 'INSUFFICIENT_BALANCE',
    wish: { side: 'BUY' },
    account: POOR,
    told: { field: 'shares', limit: 1_000_000, value: 5_025_000, unit: 'MICRO_USD' },
  },
  {
    reason: 'INSUFFICIENT_SHARES',
    wish: { side: 'SELL', outcome: 'NO' },
    told: { field: 'shares', limit: 0, value: 10 * SHARE, unit: 'MICRO_SHARES' },
  },
  {
    reason: 'POST_ONLY_WOULD_CROSS',
    wish: { postOnly: true, price: 5600, timeInForce: 'GTC' },
    told: { field: 'priceBps', limit: 5500, value: 5600, unit: 'BPS' },
  },
  {
    reason: 'FOK_NOT_FILLABLE',
    wish: { timeInForce: 'FOK', postOnly: false },
    told: { field: 'shares', limit: 0, value: 10_000_000, unit: 'MICRO_SHARES' },
  },
];

/** Several at once; undefined when they do not go together. */
export function together(violations: readonly Violation[]): Omit<Violation, 'reason' | 'told'> | undefined {
  const overrides = new Map<string, unknown>();
  const rest = new Map<string, unknown>();
  for (const { reason: _reason, told: _told, wish: own = {}, ...other } of violations) {
    if (!agrees(overrides, own) || !agrees(rest, other)) return undefined;
  }
  return { wish: Object.fromEntries(overrides), ...Object.fromEntries(rest) };
}

function agrees(all: Map<string, unknown>, more: object): boolean {
  for (const [key, value] of Object.entries(more)) {
    if (all.has(key) && all.get(key) !== value) return false;
    all.set(key, value);
  }
  return true;
}
