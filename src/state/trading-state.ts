import type { MarketState } from '../domain/index.ts';
import type { MarketSnapshot } from './market-state.ts';

/**
 * Whether a market accepts orders: the state reported by the venue, and whether the market data lost the book. In such a gap
 * the market counts as halted until the next full book (docs/spec/models.md#gaps).
 */
export class TradingState {
  /** Cached `current.acceptingOrders`. Read-only for others. */
  accepts: boolean;
  #state: MarketState;
  /** Whether the venue accepts orders, gap or not. */
  #venueAccepts: boolean;
  #isLost = false;

  constructor(state: MarketState) {
    this.#state = Object.freeze({ ...state });
    this.#venueAccepts = state.acceptingOrders;
    this.accepts = state.acceptingOrders;
  }

  /** The frozen state in force, which accepts no orders in a gap. */
  get current(): MarketState {
    return this.#state;
  }

  /** The state as the venue reported it, gap or not. */
  get venue(): MarketState {
    return { ...this.#state, acceptingOrders: this.#venueAccepts };
  }

  snapshot(): Pick<MarketSnapshot, 'state' | 'isLost'> {
    return this.#isLost ? { state: this.venue, isLost: true } : { state: this.#state };
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** @param change the venue's new values @param isLost whether the market data is in a gap; default: unchanged */
  update(change: Partial<MarketState>, isLost = this.#isLost): void {
    const state = { ...this.venue, ...change };
    this.#isLost = isLost;
    this.#venueAccepts = state.acceptingOrders;
    this.accepts = state.acceptingOrders && !isLost;
    this.#state = Object.freeze({ ...state, acceptingOrders: this.accepts });
  }
}
