/** The last trades in watched markets. */
import { type Block, FLAG, KIND, SIDE } from '../../tape/index.ts';
import type { TradeReport } from './report-types.ts';

const MAX_TRADES = 50;

export class WatchedTrades {
  readonly #trades = new Map<number, TradeReport[]>();

  /** Whether any market is watched. */
  get isWatching(): boolean {
    return this.#trades.size > 0;
  }

  watch(market: number): void {
    if (!this.#trades.has(market)) this.#trades.set(market, []);
  }

  unwatch(market: number): void {
    this.#trades.delete(market);
  }

  /** The newest first. */
  tradesIn(market: number): readonly TradeReport[] {
    return this.#trades.get(market)?.toReversed() ?? [];
  }

  /** Processes rows of the run's market data. */
  rows(block: Block, from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      if (block.kind[row] !== KIND.trade) continue;
      const trades = this.#trades.get(block.market[row] ?? -1);
      if (trades === undefined) continue;
      const side = block.side[row];
      trades.push({
        time: block.tx[row] ?? 0,
        taker: side === SIDE.bid ? 'BID' : side === SIDE.ask ? 'ASK' : null,
        price: block.price[row] ?? 0,
        shares: block.shares[row] ?? 0,
        own: ((block.flags[row] ?? 0) & FLAG.own) !== 0,
      });
      if (trades.length > MAX_TRADES) trades.shift();
    }
  }
}
