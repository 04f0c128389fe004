/**
 * What the result object says beyond the ledger, collected while a backtest runs: by exchange time from the simulated
 * venue's tap, by the bot's time from the core. Changes nothing, and its memory does not grow with the tape.
 *
 * HOT: `onMark`, `onPrint` and `message` are called for every mark, print and message. Measured in bench/replay.ts.
 */
import { type InputEvent, LOT, type MarketNo } from '../../domain/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { AccountState } from '../../state/index.ts';
import type { SimFill, SimPrint, StepTime } from '../../venues/sim/index.ts';
import type { FillCounts, OrderCounts, OrderReasons, TagResults } from '../run-result.ts';
import { Drawdown } from './equity-curve.ts';
import { type CollectedMarket, MarketTotals } from './market-totals.ts';
import type { Onlooker } from './onlooker.ts';
import { OrderTally } from './order-counts.ts';
import { TagTotals } from './tag-totals.ts';

export interface ResultCollectorOptions {
  /** Micro-USD. */
  readonly capital: number;
  /** The bot's world. */
  readonly state: AccountState;
  /** The simulated venue's ledger: told of fills and marks just before the tap is. */
  readonly ledger: () => Ledger;
}

export interface CollectedResult {
  readonly orders: OrderCounts;
  readonly orderReasons: OrderReasons;
  readonly fills: FillCounts;
  readonly maxDrawdownMicros: number;
  readonly tags: TagResults;
  /** P&L over all tags, half micro-USD. */
  readonly tagHalves: number;
  /** The loss limit that ended the trading; undefined if none did. */
  readonly killed: string | undefined;
  /** Commission on net winnings that was held back at claims. */
  readonly commissionMicros: number;
  readonly markets: readonly CollectedMarket[];
}

export class ResultCollector implements Onlooker {
  readonly #state: AccountState;
  readonly #ledger: () => Ledger;
  readonly #markets: readonly MarketTotals[];
  readonly #orders = new OrderTally();
  readonly #drawdown: Drawdown;
  #maker = 0;
  #taker = 0;
  #lots = 0;
  #commission = 0;

  constructor({ capital, state, ledger }: ResultCollectorOptions) {
    this.#state = state;
    this.#ledger = ledger;
    this.#markets = state.markets.map(() => new MarketTotals());
    this.#drawdown = new Drawdown(capital);
  }

  /** How many fills there were. */
  get fillCount(): number {
    return this.#maker + this.#taker;
  }

  onFill(fill: SimFill): void {
    this.#markets[fill.market]!.fill(fill);
    if (fill.liquidity === 'maker') this.#maker += 1;
    else this.#taker += 1;
    this.#lots += fill.shares / LOT;
    this.#drawdown.see(this.#ledger().equity);
  }

  onMark(market: MarketNo, _at: StepTime, mark: number): void {
    this.#markets[market]!.mark(mark);
    // Before the first fill equity is cash.
    if (this.#lots > 0) this.#drawdown.see(this.#ledger().equity);
  }

  onPrint(print: SimPrint): void {
    this.#markets[print.market]!.print(print);
  }

  message(): void {
    const state = this.#state;
    for (let place = 0; place < state.touched; place += 1) {
      const world = state.touchedAt(place);
      if (!world.stateChanged) continue;
      const { settlement } = world.position;
      if (settlement === undefined) continue;
      this.#markets[world.info.market]!.resolve(settlement === 'CANCELLED' ? undefined : 2 * settlement);
      this.#drawdown.see(this.#ledger().equity);
    }
  }

  event(event: InputEvent): void {
    if (event.type === 'converted') this.#commission += event.fee;
    else if (event.type !== 'orderFilled') return;
    this.#drawdown.see(this.#ledger().equity);
  }

  /** What the core decided and was told. */
  steps(steps: readonly Step[]): void {
    this.#orders.take(steps);
  }

  /** The replay is over. */
  finish(): CollectedResult {
    this.#drawdown.see(this.#ledger().equity);
    const tags = new TagTotals();
    const markets = this.#markets.map((market) => market.finish(tags));
    return {
      orders: this.#orders.counts(),
      orderReasons: this.#orders.reasons(),
      fills: { count: this.fillCount, maker: this.#maker, taker: this.#taker, shares: this.#lots * LOT },
      maxDrawdownMicros: this.#drawdown.worst,
      tags: tags.results(),
      tagHalves: tags.halves,
      killed: this.#orders.killed,
      commissionMicros: this.#commission,
      markets,
    };
  }
}
