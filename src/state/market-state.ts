/** Initial data of a market, its snapshot, and its status codes. */
import {
  column,
  FULL_BPS,
  type MarketInfo,
  type MarketLimits,
  type MarketState,
  type Resolution,
} from '../domain/index.ts';
import type { Settlement } from '../ledger/index.ts';
import { CANCELLED_PAYOUT, STATUS_CODES } from '../tape/index.ts';

export interface MarketSetup {
  readonly info: MarketInfo;
  readonly limits: MarketLimits;
  /** Before the first status row. Default OPEN, accepting orders, no placing delay. */
  readonly state?: MarketState;
  /** Where marks and exit prices come from; `trades` for a tape without a book: the last trade. Default `book`. */
  readonly marks?: 'book' | 'trades';
}

/** Snapshot of a market. Its book is read again after a restart, and the ledger has its holdings. */
export interface MarketSnapshot extends Required<MarketSetup> {
  /** Double mid in force, -1 before the first. */
  readonly mark: number;
  readonly lastTrade: number;
  /** Last prices at which the holdings could be sold and bought, bps. */
  readonly exitBid: number;
  readonly exitAsk: number;
  /** As in `MarketView`; not in snapshots of versions that did not keep it. */
  readonly acceptedFeeBps?: number;
  /** Its book is lost: it accepts orders again after the next full book. `state` is what the venue says. */
  readonly isLost?: true;
}

/** A deeply frozen copy. */
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

/** Status after a resolution row. */
export function endOf(price: number): { readonly settlement: Settlement; readonly status: Resolution } {
  if (price === CANCELLED_PAYOUT) return { settlement: 'CANCELLED', status: 'CANCELLED' };
  const settlement = column.price(price);
  if (price === FULL_BPS) return { settlement, status: 'RESOLVED_YES' };
  return { settlement, status: price === 0 ? 'RESOLVED_NO' : 'RESOLVED_UNCERTAIN' };
}

/** Before the first status row. */
export const OPEN: MarketState = Object.freeze({
  status: 'OPEN',
  acceptingOrders: true,
  placeDelay: column.duration(0),
});
