/** Estimates the liquidity rewards of each market of a run from the bot's state. */
import { LiquidityRewards, paidRewards, type RewardTerms } from '../../analytics/index.ts';
import { FULL_BPS, type InputEvent } from '../../domain/index.ts';
import type { AccountState, TradedMarket } from '../../state/index.ts';
import type { Cursor } from '../../tape/index.ts';
import type { RunObserver } from './run-observer.ts';

export class RewardCollector implements RunObserver {
  readonly #state: AccountState;
  readonly #markets: readonly LiquidityRewards[];
  #totalMicros = 0;

  constructor(state: AccountState, marketCount: number, terms: RewardTerms) {
    this.#state = state;
    this.#markets = Array.from({ length: marketCount }, () => new LiquidityRewards(terms));
  }

  /** Micro-USD over all markets; 0 before `finish`. */
  get totalMicros(): number {
    return this.#totalMicros;
  }

  onFill(): void {}
  onSteps(): void {}

  onMessage(last: Cursor): void {
    for (let index = 0; index < this.#state.messageMarketCount; index += 1) {
      const tradedMarket = this.#state.messageMarketAt(index);
      if (tradedMarket.stateChanged || this.#markets[tradedMarket.info.market]?.isDue(last.rx) === true)
        this.#update(last.rx, tradedMarket);
    }
  }

  onEvent(event: InputEvent): void {
    if ('market' in event) this.#update(event.time, this.#state.market(event.market));
  }

  /** Returns micro-USD by market, rounded **down** for each day. @param end time of the last event or row */
  finish(end: number): readonly number[] {
    for (const market of this.#markets) market.addUntil(end);
    const paid = paidRewards(this.#markets);
    this.#totalMicros = paid.reduce((sum, micros) => sum + micros, 0);
    return paid;
  }

  #update(time: number, tradedMarket: TradedMarket): void {
    const { book, state, orders, info } = tradedMarket;
    const isOpen = book.topBid > 0 && book.topAsk < FULL_BPS && state.acceptingOrders;
    // All levels, because `maxSpreadBps` may be any number of ticks.
    const others = { bids: book.depth('bid', FULL_BPS), asks: book.depth('ask', FULL_BPS) };
    this.#markets[info.market]?.update(time, isOpen, others, orders);
  }
}
