/**
 * Everything the report shows beyond the ledger, collected while a backtest runs: by exchange time from the simulated
 * venue's tap, by the bot's time from the core. Changes nothing, and its memory does not grow with the tape.
 *
 * HOT: `onMark`, `onRecordedMid`, `onPrint` and `message` are called for every mark, print and message. Measured in bench/replay.ts.
 */
import type { Random } from '../../clock/index.ts';
import { FULL_BPS, type InputEvent, LOT, type MarketNo } from '../../domain/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { AccountState } from '../../state/index.ts';
import type { Cursor } from '../../tape/index.ts';
import type { SimFill, SimPrint, SimTap, StepTime } from '../../venues/sim/index.ts';
import type { HorizonRow, LevelRow, Line, MarketLines, WeightedMean } from '../run-detail.ts';
import type { OrderCounts, TagResults } from '../run-result.ts';
import { EquityCurve } from './equity-curve.ts';
import { MarketCollector, type RunTotals } from './market-collector.ts';
import { HORIZONS, MarkoutTotals } from './markouts.ts';
import { OrderTally } from './order-counts.ts';
import { LevelTotals, levelOf } from './order-levels.ts';
import { type QuoteStandard, QuotingUptime } from './quoting-uptime.ts';
import { RecordedMakers } from './recorded-makers.ts';
import { TagTotals } from './tag-totals.ts';
import { TimeIntegral } from './time-integral.ts';

/** Markets with charts of their own. */
const DRAWN = 4;

export interface CollectorOptions {
  /** Exchange time of the first row. */
  readonly start: number;
  /** Micro-USD. */
  readonly capital: number;
  /** The bot's world: its orders tell levels, uptime and capital in use. */
  readonly state: AccountState;
  /** The simulated venue's ledger: told of fills and marks just before the tap is. */
  readonly ledger: () => Ledger;
  readonly standard: QuoteStandard;
}

export interface CollectedMarket {
  readonly fills: number;
  readonly ownShares: number;
  readonly recordedShares: number;
  readonly maxInventoryShares: number;
  readonly uptime: number | undefined;
  readonly halfLifeMs: number | undefined;
  readonly lines: MarketLines | undefined;
}

export interface Collected {
  readonly equity: Line;
  readonly drawdown: Line;
  readonly maxDrawdownMicros: number;
  /** P&L of each UTC day, micro-USD. */
  readonly daily: readonly number[];
  readonly orders: OrderCounts;
  readonly fills: { readonly count: number; readonly maker: number; readonly taker: number; readonly shares: number };
  /** Maker fills inside the recorded touch that are not tagged `queue` anyway, micro-shares. */
  readonly insideShares: number;
  readonly tags: TagResults;
  /** P&L over all tags, half micro-USD. */
  readonly tagHalves: number;
  /** The loss limit that ended the trading; undefined if none did. */
  readonly killed: string | undefined;
  /** Commission on net winnings that was held back at claims. */
  readonly commissionMicros: number;
  readonly effective: { readonly own: WeightedMean | undefined; readonly recorded: WeightedMean | undefined };
  readonly horizons: readonly HorizonRow[];
  readonly levels: readonly LevelRow[];
  readonly markets: readonly CollectedMarket[];
  readonly meanInUseMicros: number;
  readonly maxInUseMicros: number;
  /** Integral of capital in use, micro-USD times days. */
  readonly microDays: number;
}

export class Collector implements SimTap {
  readonly #options: CollectorOptions;
  readonly #totals: RunTotals = {
    own: new MarkoutTotals(),
    recorded: new RecordedMakers(),
    tags: new TagTotals(),
  };
  readonly #markets: readonly MarketCollector[];
  readonly #uptimes: readonly QuotingUptime[];
  readonly #levels = new LevelTotals();
  readonly #orders = new OrderTally();
  readonly #equity: EquityCurve;
  readonly #inUse = new TimeIntegral();
  /** Cost of what each market holds, and of all. */
  readonly #costs: Float64Array;
  #cost = 0;
  #maker = 0;
  #taker = 0;
  #lots = 0;
  #insideShares = 0;
  #commission = 0;

  constructor(options: CollectorOptions) {
    const { state, start, capital, standard } = options;
    this.#options = options;
    this.#markets = state.markets.map((_, index) => new MarketCollector(this.#totals, index < DRAWN));
    this.#uptimes = state.markets.map(() => new QuotingUptime(standard));
    this.#equity = new EquityCurve(start, capital);
    this.#costs = new Float64Array(state.markets.length);
    this.#inUse.set(start, 0);
  }

  /** How many fills there were. */
  get fillCount(): number {
    return this.#maker + this.#taker;
  }

  onFill(fill: SimFill): void {
    const { market, time, order, sign, yesPrice, shares, liquidity, tag, inside } = fill;
    this.#markets[market]?.fill(fill);
    if (liquidity === 'maker') {
      this.#maker += 1;
      const orders = this.#options.state.market(market).orders;
      this.#levels.add(sign, levelOf(order, sign, yesPrice, orders), shares);
      if (inside && tag !== 'queue') this.#insideShares += shares;
    } else this.#taker += 1;
    this.#lots += shares / LOT;
    this.#equity.set(time, this.#options.ledger().equity);
  }

  onMark(market: MarketNo, at: StepTime, mark: number): void {
    this.#markets[market]!.mark(at, mark);
    this.#equity.set(at.now, this.#options.ledger().equity);
  }

  onPrint(print: SimPrint): void {
    this.#markets[print.market]!.print(print);
  }

  onRecordedMid(market: MarketNo, at: StepTime, mid: number | undefined): void {
    this.#markets[market]!.recordedMid(at, mid);
  }

  /** The bot has taken in the message that ends with this row. */
  message(last: Cursor): void {
    const { state } = this.#options;
    for (let place = 0; place < state.touched; place += 1) {
      const world = state.touchedAt(place);
      const { market } = world.info;
      const { topBid, topAsk } = world.book;
      const open = topBid > 0 && topAsk < FULL_BPS && world.state.acceptingOrders;
      this.#uptimes[market]!.message(last.rx, open, world.mark ?? -1, world.orders);
      if (!world.stateChanged) continue;
      const { settlement } = world.position;
      if (settlement === undefined) continue;
      this.#markets[market]!.resolve(last.tx, settlement === 'CANCELLED' ? undefined : 2 * settlement);
      this.#equity.set(last.rx, this.#options.ledger().equity);
    }
  }

  /** The bot has taken in an event of its own. */
  event(event: InputEvent): void {
    if (!('market' in event)) return;
    const { state, ledger } = this.#options;
    const world = state.market(event.market);
    this.#uptimes[event.market]?.orders(event.time, world.orders);
    if (event.type === 'converted') this.#commission += event.fee;
    if (event.type === 'orderFilled' || event.type === 'converted') {
      const cost = world.position.yesCost + world.position.noCost;
      this.#cost += cost - (this.#costs[event.market] ?? 0);
      this.#costs[event.market] = cost;
      this.#equity.set(event.time, ledger().equity);
    }
  }

  /** What the core decided and was told: a tap of the run. */
  readonly steps = (steps: readonly Step[]): void => {
    this.#orders.take(steps);
    const { cash, available, now } = this.#options.state;
    this.#inUse.set(now, cash - available + this.#cost);
  };

  /** The replay is over. @param end time of the last event or row @param random draws the intervals */
  finish(end: number, random: Random): Collected {
    for (const market of this.#markets) market.finish(end);
    this.#equity.set(end, this.#options.ledger().equity);
    const daily = this.#equity.finish(end);
    const { own, recorded, tags } = this.#totals;
    const horizons = HORIZONS.map(
      ({ label, ms }, index): HorizonRow => ({
        label,
        own: own.horizons[index]?.mean(random.fork(`markout/${label}`)),
        recorded: recorded.realised(ms),
      }),
    );
    return {
      ...this.#equity.lines(),
      maxDrawdownMicros: this.#equity.maxDrawdown,
      daily,
      orders: this.#orders.counts(),
      fills: { count: this.fillCount, maker: this.#maker, taker: this.#taker, shares: this.#lots * LOT },
      insideShares: this.#insideShares,
      tags: tags.results(),
      tagHalves: tags.halves,
      commissionMicros: this.#commission,
      killed: this.#orders.killed,
      effective: { own: own.effective.mean(random.fork('effective')), recorded: recorded.effective() },
      horizons: [
        ...horizons,
        { label: 'resolution', own: own.resolution(), recorded: recorded.realised(Number.POSITIVE_INFINITY) },
      ],
      levels: this.#levels.rows(),
      markets: this.#markets.map((market, index) => this.#collected(market, index, end)),
      meanInUseMicros: Math.round(this.#inUse.mean(end)),
      maxInUseMicros: this.#inUse.most,
      microDays: this.#inUse.until(end) / 86_400_000,
    };
  }

  #collected(market: MarketCollector, index: number, end: number): CollectedMarket {
    return {
      fills: market.fills,
      ownShares: market.ownLots * LOT,
      recordedShares: market.recordedLots * LOT,
      maxInventoryShares: market.mostHeld * LOT,
      uptime: this.#uptimes[index]?.share(end),
      halfLifeMs: market.halfLifeMs(end),
      lines: market.lines(this.#options.start, end),
    };
  }
}
