/** Indicators of the trades of others: rates, average price and bars. */
import { LOT } from '../../domain/index.ts';
import type { MarketTrade } from '../contract.ts';
import { RollingSum, wholeAtLeastOne } from './window.ts';

const LOTS_PER_SHARE = 100;

type Trade = Pick<MarketTrade, 'time' | 'price' | 'shares' | 'taker'>;

/** Trades and shares per second. Only the totals include trades with an unknown taker. */
export interface TradeRates {
  readonly tradesPerSecond: number;
  readonly buysPerSecond: number;
  readonly sellsPerSecond: number;
  readonly sharesPerSecond: number;
}

/** Rates of trades of others over the last `windowMs`. */
export class TradeIntensity {
  readonly #windowMs: number;
  readonly #buys: RollingSum;
  readonly #sells: RollingSum;
  readonly #lots: RollingSum;
  readonly #start: number;

  /**
   * @param options.start start of the observation, epoch ms, such as `view.now` in `onStart`; no window begins earlier
   * @throws InputFault unless `windowMs` is a whole number of at least 1
   */
  constructor({ windowMs, start }: { readonly windowMs: number; readonly start: number }) {
    this.#windowMs = wholeAtLeastOne('windowMs', windowMs);
    this.#start = start;
    this.#buys = new RollingSum(windowMs);
    this.#sells = new RollingSum(windowMs);
    this.#lots = new RollingSum(windowMs);
  }

  /** Call this from `onTrade`. */
  trade({ time, shares, taker }: Trade): void {
    if (taker === 'BUY') this.#buys.add(time, 1);
    if (taker === 'SELL') this.#sells.add(time, 1);
    this.#lots.add(time, shares / LOT);
  }

  /** Returns the rates at `time`, epoch ms; undefined until `start` has passed. Times must not decrease. */
  at(time: number): TradeRates | undefined {
    const seconds = Math.min(this.#windowMs, time - this.#start) / 1_000;
    if (seconds <= 0) return undefined;
    return {
      tradesPerSecond: this.#lots.countAt(time) / seconds,
      buysPerSecond: this.#buys.countAt(time) / seconds,
      sellsPerSecond: this.#sells.countAt(time) / seconds,
      sharesPerSecond: this.#lots.sumAt(time) / LOTS_PER_SHARE / seconds,
    };
  }
}

/** Average price of trades, weighted by their shares, over the last `windowMs`. */
export class Vwap {
  readonly #lots: RollingSum;
  /** Price times lots, micro-USD. */
  readonly #cost: RollingSum;

  /** @throws InputFault unless `windowMs` is a whole number of at least 1 */
  constructor({ windowMs }: { readonly windowMs: number }) {
    this.#lots = new RollingSum(wholeAtLeastOne('windowMs', windowMs));
    this.#cost = new RollingSum(windowMs);
  }

  /** Call this from `onTrade`. */
  trade({ time, price, shares }: Trade): void {
    this.#lots.add(time, shares / LOT);
    this.#cost.add(time, (price * shares) / LOT);
  }

  /** Returns the average at `time` (epoch ms), bps; undefined without trades in the window. Times never decrease. */
  at(time: number): number | undefined {
    const lots = this.#lots.sumAt(time);
    return lots === 0 ? undefined : this.#cost.sumAt(time) / lots;
  }
}

/** Prices of one interval, in bps. */
export interface Bar {
  /** Start of the interval, epoch ms, a multiple of the interval. */
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Shares traded. */
  readonly volume: number;
  readonly trades: number;
}

/** Collects trades in bars of equal intervals. An interval without a trade has no bar. */
export class Bars {
  readonly #intervalMs: number;
  readonly #most: number;
  readonly #closed: Bar[] = [];
  #open: Bar | undefined;

  /**
   * @param options.most maximum number of stored closed bars; default 500
   * @throws InputFault unless both are whole numbers of at least 1
   */
  constructor({ intervalMs, most = 500 }: { readonly intervalMs: number; readonly most?: number }) {
    this.#intervalMs = wholeAtLeastOne('intervalMs', intervalMs);
    this.#most = wholeAtLeastOne('most', most);
  }

  /** Closed bars, oldest first. */
  get closed(): readonly Bar[] {
    return this.#closed;
  }

  /** The bar of the running interval; undefined before its first trade. */
  get open(): Bar | undefined {
    return this.#open;
  }

  /** Adds a trade. Returns the bar that the trade closed, if the trade begins another interval. */
  trade(trade: Trade): Bar | undefined {
    const closed = this.advance(trade.time);
    const price: number = trade.price;
    const start = Math.floor(trade.time / this.#intervalMs) * this.#intervalMs;
    const bar = this.#open ?? { start, open: price, high: price, low: price, close: price, volume: 0, trades: 0 };
    const [high, low] = [Math.max(bar.high, price), Math.min(bar.low, price)];
    const lots = Math.round(bar.volume * LOTS_PER_SHARE) + trade.shares / LOT;
    this.#open = { ...bar, high, low, close: price, volume: lots / LOTS_PER_SHARE, trades: bar.trades + 1 };
    return closed;
  }

  /** Closes and returns the open bar if its interval is over at `time`. A timer can close bars in quiet times. */
  advance(time: number): Bar | undefined {
    const open = this.#open;
    if (open === undefined || time < open.start + this.#intervalMs) return undefined;
    this.#open = undefined;
    this.#closed.push(open);
    if (this.#closed.length > this.#most) this.#closed.shift();
    return open;
  }
}
