import type { MarketState } from '../domain/index.ts';
import type { MarketSnapshot } from './market-state.ts';

/**
 * What may be done in a market: the state that the venue reported, and whether the market data has lost the book. In such
 * a gap the market counts as halted until the next full book (docs/spec/models.md#gaps).
 */
export class TradingState {
  /** Of `current`, at hand. Read-only for others. */
  accepts: boolean;
  #state: MarketState;
  /** Of the venue, also in a gap. */
  #venueAccepts: boolean;
  #isLost = false;

  constructor(state: MarketState) {
    this.#state = Object.freeze({ ...state });
    this.#venueAccepts = state.acceptingOrders;
    this.accepts = state.acceptingOrders;
  }

  /** Frozen; accepts no orders in a gap. */
  get current(): MarketState {
    return this.#state;
  }

  /** Without the gap. */
  get venue(): MarketState {
    return { ...this.#state, acceptingOrders: this.#venueAccepts };
  }

  snapshot(): Pick<MarketSnapshot, 'state' | 'isLost'> {
    return this.#isLost ? { state: this.venue, isLost: true } : { state: this.#state };
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** @param change what the venue says now @param isLost whether the market data is in a gap; default: as it was */
  turn(change: Partial<MarketState>, isLost = this.#isLost): void {
    const state = { ...this.venue, ...change };
    this.#isLost = isLost;
    this.#venueAccepts = state.acceptingOrders;
    this.accepts = state.acceptingOrders && !isLost;
    this.#state = Object.freeze({ ...state, acceptingOrders: this.accepts });
  }
}
