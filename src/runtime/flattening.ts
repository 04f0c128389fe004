/**
 * Closes positions market by market: merges pairs into cash, then sells the rest with FAK orders of at most
 * `max_order`. Sells only within the price collar, while there are buyers. Risk checks the orders as other takes.
 */
import {
  gridDown,
  gridUp,
  type Intent,
  isFinal,
  LOT,
  type MarketNo,
  minShares,
  type Outcome,
  type PriceBps,
  unchecked,
} from '../domain/index.ts';
import type { RiskGate } from '../risk/index.ts';
import type { AccountState, TradedMarket } from '../state/index.ts';

/** Price collar if `price_collar_bps` is `none`. */
const DEFAULT_COLLAR_BPS = 2_000;

export class Flattening {
  readonly #state: AccountState;
  readonly #collarBps: number;
  readonly #maxOrder: number;
  readonly #execute: (intent: Intent) => void;
  readonly #marketsWithoutBuyers = new Set<MarketNo>();
  #isOn = false;

  /**
   * @param limits maximum distance of a sale from the mark price (2,000 bps if there is no limit) and maximum size
   * @param execute passes an intent through risk and execution
   */
  constructor(state: AccountState, limits: RiskGate['limits'], execute: (intent: Intent) => void) {
    this.#state = state;
    this.#collarBps = Number.isFinite(limits.priceCollarBps) ? limits.priceCollarBps : DEFAULT_COLLAR_BPS;
    this.#maxOrder = limits.maxOrder;
    this.#execute = execute;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  setOn(isOn: boolean): void {
    this.#isOn = isOn;
    this.#marketsWithoutBuyers.clear();
  }

  /** Whether no open market has a position, an order or an unanswered conversion. */
  get isFlat(): boolean {
    return this.#state.markets.every((market) => isFlat(market) && !this.#state.isConverting(market.info.market));
  }

  /** Marks a market in which a sale found no buyer. `tryAll` skips it until the next `onMarketChanged`. */
  onTakeUnfilled(market: MarketNo): void {
    this.#marketsWithoutBuyers.add(market);
  }

  onMarketChanged(market: TradedMarket): void {
    this.#marketsWithoutBuyers.delete(market.info.market);
    this.#flattenMarket(market);
  }

  tryAll(): void {
    for (const market of this.#state.markets)
      if (!this.#marketsWithoutBuyers.has(market.info.market)) this.#flattenMarket(market);
  }

  /** Does nothing while an order or conversion of the market is open. */
  #flattenMarket(market: TradedMarket): void {
    const { info, orders, position, state } = market;
    if (orders.length > 0 || isFinal(state.status) || this.#state.isConverting(info.market)) return;
    const pairs = minShares(position.yes, position.no);
    if (pairs >= LOT) this.#execute({ type: 'merge', market: info.market, shares: wholeLots(pairs) });
    else if (position.net !== 0 && state.acceptingOrders) this.#sell(market, position.net > 0 ? 'YES' : 'NO');
  }

  #sell({ info, book, mark, position }: TradedMarket, outcome: Outcome): void {
    const touch = outcome === 'YES' ? book.bestBid() : book.bestAsk();
    if (touch === undefined || mark === undefined) return;
    // YES terms: the worst price is the lowest for a sale of YES, the highest for a sale of NO. `mark` is doubled.
    const worst = outcome === 'YES' ? mark / 2 - this.#collarBps : mark / 2 + this.#collarBps;
    const limit =
      outcome === 'YES' ? gridUp(info.grid, Math.max(1, worst)) : gridDown(info.grid, Math.min(9_999, worst));
    if (limit === undefined || (outcome === 'YES' ? touch < limit : touch > limit)) return;
    const price: PriceBps = outcome === 'YES' ? limit : unchecked.price(10_000 - limit);
    const shares = wholeLots(Math.min(Math.abs(position.net), this.#maxOrder));
    if (shares < LOT) return;
    this.#execute({ type: 'take', market: info.market, outcome, side: 'SELL', limit: price, shares });
  }
}

function isFlat({ position, orders, state }: TradedMarket): boolean {
  return isFinal(state.status) || (Math.abs(position.net) < LOT && orders.length === 0);
}

function wholeLots(shares: number) {
  return unchecked.shares(shares - (shares % LOT));
}
