/**
 * Takes positions out, market by market, until nothing is held on one side: pairs back into cash, the rest sold at once
 * (FAK) at prices within the collar, again as long as somebody is there to sell to. Risk's word counts as for any taking.
 */
import {
  column,
  gridDown,
  gridUp,
  type Intent,
  isFinal,
  LOT,
  type MarketNo,
  minShares,
  type Outcome,
  type PriceBps,
} from '../domain/index.ts';
import type { AccountState, MarketWorld } from '../state/index.ts';

export class Flattening {
  readonly #state: AccountState;
  readonly #collarBps: number;
  readonly #carry: (intent: Intent, market: MarketNo) => void;
  readonly #spent = new Set<MarketNo>();
  #isOn = false;

  /**
   * @param collarBps most distance of a sale from the mark
   * @param carry puts an intent through risk and execution
   */
  constructor(state: AccountState, collarBps: number, carry: (intent: Intent, market: MarketNo) => void) {
    this.#state = state;
    this.#collarBps = collarBps;
    this.#carry = carry;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  turn(isOn: boolean): void {
    this.#isOn = isOn;
    this.#spent.clear();
  }

  /** Whether no market that can still be traded has a position, and nothing is on its way. */
  get isFlat(): boolean {
    return this.#state.markets.every((market) => isOut(market) && !this.#state.converting(market.info.market));
  }

  /** A taking ended without all of it: nobody is there any more, so the market waits for news of its book. */
  spent(market: MarketNo): void {
    this.#spent.add(market);
  }

  newsOf(market: MarketWorld): void {
    this.#spent.delete(market.info.market);
    this.#tryIn(market);
  }

  tryAll(): void {
    for (const market of this.#state.markets) if (!this.#spent.has(market.info.market)) this.#tryIn(market);
  }

  /** Unless something is on its way there. */
  #tryIn(market: MarketWorld): void {
    const { info, orders, position, state } = market;
    if (orders.length > 0 || isFinal(state.status) || this.#state.converting(info.market)) return;
    const pairs = minShares(position.yes, position.no);
    if (pairs >= LOT) this.#carry({ type: 'merge', market: info.market, shares: wholeLots(pairs) }, info.market);
    else if (position.net !== 0 && state.acceptingOrders) this.#sell(market, position.net > 0 ? 'YES' : 'NO');
  }

  #sell({ info, book, mark, position }: MarketWorld, outcome: Outcome): void {
    const touch = outcome === 'YES' ? book.bestBid() : book.bestAsk();
    if (touch === undefined || mark === undefined) return;
    // YES down to the lowest price within the collar, NO, which is YES seen from the other side, up to the highest.
    const reach = outcome === 'YES' ? mark / 2 - this.#collarBps : mark / 2 + this.#collarBps;
    const limit =
      outcome === 'YES' ? gridUp(info.grid, Math.max(1, reach)) : gridDown(info.grid, Math.min(9_999, reach));
    if (limit === undefined || (outcome === 'YES' ? touch < limit : touch > limit)) return;
    const price: PriceBps = outcome === 'YES' ? limit : column.price(10_000 - limit);
    const shares = wholeLots(Math.abs(position.net));
    if (shares < LOT) return;
    this.#carry({ type: 'take', market: info.market, outcome, side: 'SELL', limit: price, shares }, info.market);
  }
}

function isOut({ info: _, position, orders, state }: MarketWorld): boolean {
  return isFinal(state.status) || (Math.abs(position.net) < LOT && orders.length === 0);
}

function wholeLots(shares: number) {
  return column.shares(shares - (shares % LOT));
}
