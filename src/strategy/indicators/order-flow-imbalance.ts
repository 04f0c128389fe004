/** Buying against selling pressure at the best prices. */
import type { BookView } from '../../book/index.ts';
import { LOT } from '../../domain/index.ts';
import { RollingSum, wholeAtLeastOne } from './window.ts';

const SHARES_PER_LOT = 0.01;
/** Prices of an empty side: below every bid, and above every ask. */
const NO_BID = 0;
const NO_ASK = 10_000;

/**
 * Order flow imbalance (Cont, Kukanov & Stoikov 2014, "The Price Impact of Order Book Events", equation 4) over the
 * window: shares added to the best bid or removed from the best ask, less shares removed from the bid or added to the
 * ask. A positive value means buying pressure.
 */
export class OrderFlowImbalance {
  readonly #lots: RollingSum;
  #bid: number | undefined;
  #bidLots = 0;
  #ask = NO_ASK;
  #askLots = 0;

  /** @throws InputFault unless `windowMs` is a whole number of at least 1 */
  constructor({ windowMs }: { readonly windowMs: number }) {
    this.#lots = new RollingSum(wholeAtLeastOne('windowMs', windowMs));
  }

  /** Call this from `onBook` with each state of the book. @param time epoch ms, must not decrease */
  observe(time: number, book: BookView): void {
    const bestBid = book.bestBid();
    const bestAsk = book.bestAsk();
    const bid = bestBid ?? NO_BID;
    const ask = bestAsk ?? NO_ASK;
    const bidLots = bestBid === undefined ? 0 : book.bidAt(bestBid) / LOT;
    const askLots = bestAsk === undefined ? 0 : book.askAt(bestAsk) / LOT;
    if (this.#bid !== undefined) {
      const bidFlow = (bid >= this.#bid ? bidLots : 0) - (bid <= this.#bid ? this.#bidLots : 0);
      const askFlow = (ask <= this.#ask ? askLots : 0) - (ask >= this.#ask ? this.#askLots : 0);
      if (bidFlow !== askFlow) this.#lots.add(time, bidFlow - askFlow);
    }
    this.#bid = bid;
    this.#ask = ask;
    this.#bidLots = bidLots;
    this.#askLots = askLots;
  }

  /** Returns the imbalance over the window that ends at `time`, signed shares. */
  at(time: number): number {
    return this.#lots.sumAt(time) * SHARES_PER_LOT;
  }
}
