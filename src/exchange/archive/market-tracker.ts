/** Statistics and prices of each market. */
import { FULL_BPS, unchecked } from '../../domain/index.ts';
import type { ExchangeView } from '../engine/view.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { MarketStart } from './archive.ts';
import { type MarketStatistics, statisticsIn } from './market-statistics.ts';
import type { RowWriter } from './row-batch.ts';
import { marketStatusCode } from './row-codes.ts';
import { PRICE_INTERVALS, type PricePointRow } from './rows.ts';

interface TrackedMarket {
  readonly market: number;
  readonly prices: PriceHistoryWriter;
  readonly statistics: MarketStatistics;
  /** Whether the market's row changed since the last flush. */
  isDirty: boolean;
  /** Whether `touch` was called during the current command. */
  isTouched: boolean;
}

export class MarketTracker {
  readonly #view: ExchangeView;
  readonly #trackedMarkets: (TrackedMarket | undefined)[] = [];
  #touched: TrackedMarket[] = [];
  #dirty: TrackedMarket[] = [];

  constructor(view: ExchangeView, starts: readonly MarketStart[] = []) {
    this.#view = view;
    for (const start of starts) this.#trackedMarkets[start.row.market] = newTrackedMarket(start.row.market, start);
  }

  /** Marks a market whose prices may have changed. */
  touch(market: number): TrackedMarket {
    this.#trackedMarkets[market] ??= newTrackedMarket(market);
    const tracked = this.#trackedMarkets[market];
    if (!tracked.isTouched) {
      tracked.isTouched = true;
      this.#touched.push(tracked);
    }
    return tracked;
  }

  /** Marks a market whose row has changed, and whose prices may have changed. */
  markChanged(market: number): TrackedMarket {
    const tracked = this.touch(market);
    if (!tracked.isDirty) {
      tracked.isDirty = true;
      this.#dirty.push(tracked);
    }
    return tracked;
  }

  /** Marks all markets, because their quotes may have changed. */
  touchAll(): void {
    for (const tracked of this.#trackedMarkets) if (tracked !== undefined) this.touch(tracked.market);
  }

  writePrices(rows: RowWriter): void {
    if (this.#touched.length === 0) return;
    for (const tracked of this.#touched) {
      tracked.isTouched = false;
      tracked.prices.addPointIfChanged(this.#view, rows);
    }
    this.#touched = [];
  }

  flush(rows: RowWriter): void {
    for (const tracked of this.#dirty) {
      tracked.isDirty = false;
      const record = this.#view.market(tracked.market);
      if (record === undefined) throw new RangeError(`Invariant: market ${tracked.market} does not exist`);
      addMarketRow(rows, record, tracked.statistics);
    }
    this.#dirty = [];
    for (const tracked of this.#trackedMarkets) tracked?.prices.flush(rows);
  }
}

function newTrackedMarket(market: number, start?: MarketStart): TrackedMarket {
  const statistics = start === undefined ? statisticsIn({}) : { ...start.row.statistics };
  return { market, prices: new PriceHistoryWriter(market, start), statistics, isDirty: false, isTouched: false };
}

export function addMarketRow(rows: RowWriter, market: Readonly<MarketRecord>, statistics: MarketStatistics): void {
  const { number, status, createdAt, updatedAt, volume, id, slug, question } = market;
  const numbers = [number, marketStatusCode(status), createdAt, updatedAt, volume, ...Object.values(statistics)];
  rows.add('market', numbers, [id, slug, question]);
}

interface Bucket {
  readonly lengthMs: number;
  start: number;
  volume: number;
  /** Whether the bucket changed since the last flush. */
  isDirty: boolean;
}

type PublicPrices = Record<'yes' | 'no' | 'bid' | 'ask' | 'last', number>;

/** Writes a market's price history: each change adds a point, and updates the buckets that contain the point. */
class PriceHistoryWriter {
  readonly #market: number;
  readonly #prices: PublicPrices = { yes: 0, no: 0, bid: 0, ask: 0, last: 0 };
  readonly #buckets: readonly Bucket[];
  /** Micro-USD traded since the last point. */
  #traded = 0;
  #hasDirty = false;

  constructor(market: number, start?: MarketStart) {
    this.#market = market;
    this.#buckets = Object.values(PRICE_INTERVALS).map((lengthMs, at) => {
      const bucket = start?.buckets[at];
      return { lengthMs, start: bucket?.at ?? -1, volume: bucket?.volume ?? 0, isDirty: false };
    });
    if (start?.last !== undefined) Object.assign(this.#prices, toPublicPrices(start.last));
  }

  /** @param amount micro-USD */
  addVolume(amount: number): void {
    this.#traded += amount;
  }

  /** Adds a point after a trade or a change of public prices. Call this after each command that may cause either. */
  addPointIfChanged(view: ExchangeView, rows: RowWriter): void {
    const { now, seq } = view;
    const quotes = view.quotes(this.#market);
    const book = view.book(this.#market);
    const last = view.market(this.#market)?.lastTrade ?? 0;
    if (quotes === undefined || book === undefined) return;
    const { yes, no } = quotes;
    const [bid, ask] = [book.bestBid, book.bestAsk];
    const prices = this.#prices;
    const isSame =
      prices.bid === bid && prices.ask === ask && prices.last === last && prices.yes === yes && prices.no === no;
    if (isSame && this.#traded === 0) return;
    for (const bucket of this.#buckets) {
      const start = Math.floor(now / bucket.lengthMs) * bucket.lengthMs;
      if (start !== bucket.start) {
        this.#write(bucket, rows);
        bucket.start = start;
        bucket.volume = 0;
      }
      bucket.volume += this.#traded;
      bucket.isDirty = true;
    }
    this.#hasDirty = true;
    Object.assign(prices, { yes, no, bid, ask, last });
    rows.add('point', [this.#market, seq, now, yes, no, bid, ask, last, this.#traded]);
    this.#traded = 0;
  }

  flush(rows: RowWriter): void {
    if (!this.#hasDirty) return;
    this.#hasDirty = false;
    for (const bucket of this.#buckets) this.#write(bucket, rows);
  }

  #write(bucket: Bucket, rows: RowWriter): void {
    if (!bucket.isDirty) return;
    bucket.isDirty = false;
    const { yes, no, bid, ask, last } = this.#prices;
    rows.add('bucket', [this.#market, bucket.lengthMs, bucket.start, yes, no, bid, ask, last, bucket.volume]);
  }
}

/** Reads a point from its row's numbers. The codes for "none" become undefined. */
export function toPricePoint(
  row: Readonly<PublicPrices> & { readonly at: number; readonly volume: number },
): PricePointRow {
  return {
    at: unchecked.time(row.at),
    yes: row.yes,
    no: row.no,
    bestBid: row.bid === 0 ? undefined : row.bid,
    bestAsk: row.ask === FULL_BPS ? undefined : row.ask,
    lastTrade: row.last === 0 ? undefined : row.last,
    volume: row.volume,
  };
}

function toPublicPrices({ yes, no, bestBid, bestAsk, lastTrade }: PricePointRow): PublicPrices {
  return { yes, no, bid: bestBid ?? 0, ask: bestAsk ?? FULL_BPS, last: lastTrade ?? 0 };
}
