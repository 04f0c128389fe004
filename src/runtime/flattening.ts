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
/** Prefix of the reason for REDUCING while positions are flattened. A restart then continues to flatten. */
export const FLATTEN_REASON = 'flatten';

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
    this.#collarBps = collarBps(limits);
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

  #sell(market: TradedMarket, outcome: Outcome): void {
    const limit = findWorstPrice(market, outcome, this.#collarBps);
    if (typeof limit === 'string') return;
    const price: PriceBps = outcome === 'YES' ? limit : unchecked.price(10_000 - limit);
    const shares = wholeLots(Math.min(Math.abs(market.position.net), this.#maxOrder));
    if (shares < LOT) return;
    this.#execute({ type: 'take', market: market.info.market, outcome, side: 'SELL', limit: price, shares });
  }
}

export function isFlattenReason(reason: string | undefined): boolean {
  return reason === FLATTEN_REASON || reason?.startsWith(`${FLATTEN_REASON}: `) === true;
}

/** Returns one text for each market that holds shares of which nothing can be sold now; empty unless flattening. */
export function flattenObstacles(
  markets: readonly TradedMarket[],
  { mode, reason, limits }: Pick<RiskGate, 'mode' | 'reason' | 'limits'>,
): readonly string[] {
  if (mode !== 'REDUCING' || !isFlattenReason(reason)) return [];
  return markets.flatMap((market) => {
    const { info, position, orders, state } = market;
    if (isFlat(market) || orders.length > 0 || Math.min(position.yes, position.no) >= LOT) return [];
    const worst = state.acceptingOrders
      ? findWorstPrice(market, position.net > 0 ? 'YES' : 'NO', collarBps(limits))
      : 'the market accepts no orders';
    return typeof worst === 'string' ? [`nothing is sold in ${info.slug}: ${worst}`] : [];
  });
}

function collarBps({ priceCollarBps }: Pick<RiskGate['limits'], 'priceCollarBps'>): number {
  return Number.isFinite(priceCollarBps) ? priceCollarBps : DEFAULT_COLLAR_BPS;
}

/** Returns the worst price of a sale in YES terms, or why nothing can be sold. */
function findWorstPrice({ info, book, mark }: TradedMarket, outcome: Outcome, collar: number): PriceBps | string {
  if (mark === undefined) return 'its book has not had a bid and an ask yet, so there is no mark for the price collar';
  const touch = outcome === 'YES' ? book.bestBid() : book.bestAsk();
  if (touch === undefined) return `its book has no ${outcome === 'YES' ? 'bid' : 'ask'}`;
  // The worst price is the lowest for a sale of YES, the highest for a sale of NO. `mark` is doubled.
  const worst = outcome === 'YES' ? mark / 2 - collar : mark / 2 + collar;
  const limit = outcome === 'YES' ? gridUp(info.grid, Math.max(1, worst)) : gridDown(info.grid, Math.min(9_999, worst));
  if (limit === undefined || (outcome === 'YES' ? touch < limit : touch > limit))
    return `no ${outcome === 'YES' ? 'bid' : 'ask'} is within ${collar} bps of the mark`;
  return limit;
}

function isFlat({ position, orders, state }: TradedMarket): boolean {
  return isFinal(state.status) || (Math.abs(position.net) < LOT && orders.length === 0);
}

function wholeLots(shares: number) {
  return unchecked.shares(shares - (shares % LOT));
}
