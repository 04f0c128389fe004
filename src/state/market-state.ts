/** A market's setup, snapshot and trading state. */
import {
  FULL_BPS,
  type MarketInfo,
  type MarketLimits,
  type MarketState,
  type Resolution,
  unchecked,
} from '../domain/index.ts';
import type { Settlement } from '../ledger/index.ts';
import { CANCELLED_PAYOUT, STATUS_CODES } from '../tape/index.ts';

export interface MarketSetup {
  readonly info: MarketInfo;
  readonly limits: MarketLimits;
  /** State before the first status row. Default OPEN, accepting orders, no placing delay. */
  readonly state?: MarketState;
  /** Source of marks and exit prices: the book, or the last trade for a tape without a book. Default `book`. */
  readonly marks?: 'book' | 'trades';
}

/** Snapshot of a market. Lacks the book, which is read again, and the holdings, which are in the ledger's snapshot. */
export interface MarketSnapshot extends Required<MarketSetup> {
  /** `MarketView.mark`, and the price of the last trade in bps; -1 for undefined. */
  readonly mark: number;
  readonly lastTrade: number;
  /** Last price in bps at which YES could be sold. */
  readonly exitBid: number;
  /** Last price in bps at which YES could be bought. */
  readonly exitAsk: number;
  /** Like `MarketView.acceptedFeeBps`; absent in snapshots of older versions. */
  readonly acceptedFeeBps?: number;
  /**
   * Set during a gap of the market data (`isInGap`), until the next full book. `state` is then the venue's state.
   * Snapshots store this name.
   */
  readonly isLost?: true;
}

/** Returns a deeply frozen copy. */
export function freezeInfo(info: MarketInfo): MarketInfo {
  const { grid } = info;
  const lists =
    grid.type === 'tick' ? {} : { bids: Object.freeze([...grid.bids]), asks: Object.freeze([...grid.asks]) };
  return Object.freeze({ ...info, grid: Object.freeze({ ...grid, ...lists }) });
}

export function toStatus(code: number): Pick<MarketState, 'status' | 'acceptingOrders'> {
  const status = STATUS_CODES[code];
  if (status === undefined) throw new Error(`Invariant: ${code} is not a status code`);
  return status === 'HALTED'
    ? { status: 'OPEN', acceptingOrders: false }
    : { status, acceptingOrders: status === 'OPEN' };
}

export function toResolution(price: number): { readonly settlement: Settlement; readonly status: Resolution } {
  if (price === CANCELLED_PAYOUT) return { settlement: 'CANCELLED', status: 'CANCELLED' };
  const settlement = unchecked.price(price);
  if (price === FULL_BPS) return { settlement, status: 'RESOLVED_YES' };
  return { settlement, status: price === 0 ? 'RESOLVED_NO' : 'RESOLVED_UNCERTAIN' };
}

const OPEN: MarketState = Object.freeze({ status: 'OPEN', acceptingOrders: true, placeDelay: unchecked.duration(0) });

export interface StateChange extends Partial<MarketState> {
  readonly isInGap?: boolean;
}

/** The venue's state, except that the market accepts no orders in a gap of the data (docs/spec/models.md#gaps). */
export class TradingState {
  /** Cached `current.acceptingOrders`. Only this class writes the field. */
  acceptsOrders: boolean;
  #state: MarketState;
  /** Whether the venue accepts orders, regardless of gaps. */
  #venueAccepts: boolean;
  #isInGap = false;

  constructor(state = OPEN) {
    this.#state = Object.freeze({ ...state });
    this.#venueAccepts = state.acceptingOrders;
    this.acceptsOrders = state.acceptingOrders;
  }

  /** The frozen present state, which accepts no orders in a gap. */
  get current(): MarketState {
    return this.#state;
  }

  /** The state that the venue reported, regardless of gaps. */
  get venueState(): MarketState {
    return { ...this.#state, acceptingOrders: this.#venueAccepts };
  }

  snapshot(): Pick<MarketSnapshot, 'state' | 'isLost'> {
    return this.#isInGap ? { state: this.venueState, isLost: true } : { state: this.#state };
  }

  get isInGap(): boolean {
    return this.#isInGap;
  }

  /** @param change the venue's new values, and whether the market data is in a gap; default: unchanged */
  update({ isInGap = this.#isInGap, ...change }: StateChange): void {
    const state = { ...this.venueState, ...change };
    this.#isInGap = isInGap;
    this.#venueAccepts = state.acceptingOrders;
    this.acceptsOrders = state.acceptingOrders && !isInGap;
    this.#state = Object.freeze({ ...state, acceptingOrders: this.acceptsOrders });
  }
}
