/** What a market's rows and setup say, as the state keeps it. */
import { column, FULL_BPS, type MarketInfo, type MarketState, type Resolution } from '../domain/index.ts';
import type { Settlement } from '../ledger/index.ts';
import { CANCELLED_PAYOUT, STATUS_CODES } from '../tape/index.ts';

/** Deep, and a copy: the caller's own stays as it is. */
export function frozenInfo(info: MarketInfo): MarketInfo {
  const { grid } = info;
  const lists =
    grid.type === 'tick' ? {} : { bids: Object.freeze([...grid.bids]), asks: Object.freeze([...grid.asks]) };
  return Object.freeze({ ...info, grid: Object.freeze({ ...grid, ...lists }) });
}

export function statusOf(code: number): Pick<MarketState, 'status' | 'acceptingOrders'> {
  const status = STATUS_CODES[code];
  if (status === undefined) throw new Error(`Invariant: ${code} is no status code`);
  return status === 'HALTED'
    ? { status: 'OPEN', acceptingOrders: false }
    : { status, acceptingOrders: status === 'OPEN' };
}

export function settlementOf(price: number): Settlement {
  return price === CANCELLED_PAYOUT ? 'CANCELLED' : column.price(price);
}

export function resolutionOf(settlement: Settlement): Resolution {
  if (settlement === 'CANCELLED') return 'CANCELLED';
  if (settlement === FULL_BPS) return 'RESOLVED_YES';
  return settlement === 0 ? 'RESOLVED_NO' : 'RESOLVED_UNCERTAIN';
}

/** Before the first status row. */
export const OPEN: MarketState = Object.freeze({
  status: 'OPEN',
  acceptingOrders: true,
  placeDelay: column.duration(0),
});
