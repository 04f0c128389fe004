/** Checks before the first order of a bot, and settings in internal units. */
import type { LiveFile } from '../../config/live-schema.ts';
import { Fault, FULL_BPS, gridDown, type PriceBps, type PriceGrid, SHARE } from '../../domain/index.ts';
import { checkSigning, type KillLimits } from '../../ops/index.ts';
import type { RiskLimits } from '../../risk/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import type { VenueConnection } from './connection.ts';

/** Checks this clock, because the venue refuses orders that are signed with a wrong time. @throws Fault CLOCK_SKEW */
export async function assertClock(connection: VenueConnection): Promise<void> {
  await connection.measureClock();
  const { minSkewMs, offsetMs } = connection.offset;
  const max = connection.killLimits.clockSkewMs;
  if (minSkewMs <= max) return;
  const apart = `${Math.round(Math.abs(offsetMs))} ms ${offsetMs > 0 ? 'behind' : 'ahead of'} the venue's`;
  const remedy = 'Set this clock (`timedatectl set-ntp true`, or chrony)';
  throw new Fault('CLOCK_SKEW', `this clock is ${apart}, ${max} ms are allowed (kill_switch.clock_skew_ms). ${remedy}`);
}

/** Checks an order's signature. The venue refuses orders with a wrong contract or chain. @throws Fault SIGNING */
export async function assertSigning(
  access: Parameters<typeof checkSigning>[0],
  markets: readonly MarketSetup[],
  risk: RiskLimits,
): Promise<void> {
  const isSignable = ({ state, limits }: MarketSetup): boolean =>
    state?.acceptingOrders === true && limits.feeRateBps <= risk.maxFeeBps;
  const signable = markets.find(isSignable);
  if (signable === undefined) return;
  const { info, limits } = signable;
  const market = {
    id: String(info.id),
    slug: info.slug,
    feeRateBps: limits.feeRateBps,
    tickSizeBps: info.grid.type === 'tick' ? info.grid.tickBps : 1,
    priceBps: middlePrice(info.grid),
    minOrderShares: limits.minOrderShares / SHARE,
  };
  const { status, message, remedy = '' } = await checkSigning(access, market, risk);
  if (status === 'fail') throw new Fault('SIGNING', `${message}. ${remedy}`);
}

/** Returns a valid bid price near 50 cents. */
export function middlePrice(grid: PriceGrid): PriceBps | undefined {
  return gridDown(grid, FULL_BPS / 2) ?? (grid.type === 'list' ? grid.bids[0] : undefined);
}

/** @param maxClockSkew ms, above which the venue refuses every order */
export function killLimits({ kill_switch: limits }: LiveFile, maxClockSkew: number): KillLimits {
  return {
    errors: orInfinity(limits.errors),
    errorWindowMs: limits.error_window_ms,
    stalenessMs: orInfinity(limits.staleness_ms),
    clockSkewMs: Math.min(orInfinity(limits.clock_skew_ms), maxClockSkew),
    position: orInfinity(limits.max_position) * SHARE,
  };
}

/** Returns settings of market data. Quotes on a book older than `staleMs` are withdrawn. */
export function bookSettings({ venue, risk }: Pick<LiveFile, 'venue' | 'risk'>) {
  const { depth, silence_ms: silenceMs, prices } = venue;
  return { depth, silenceMs, prices, staleMs: orInfinity(risk.max_book_age_ms) };
}

function orInfinity(limit: number | 'none'): number {
  return limit === 'none' ? Number.POSITIVE_INFINITY : limit;
}
