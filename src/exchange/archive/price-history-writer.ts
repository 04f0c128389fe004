/** Writes a market's price history: each change adds a point and updates the buckets that contain it. */
import { column } from '../../domain/index.ts';
import type { ExchangeView } from '../engine/view.ts';
import type { MarketStart } from './archive.ts';
import type { RowWriter } from './row-batch.ts';
import { PRICE_INTERVALS, type PricePointRow } from './rows.ts';

const LENGTHS = Object.values(PRICE_INTERVALS);

interface Bucket {
  start: number;
  volume: number;
  /** Changed since it was last written. */
  isDirty: boolean;
}

/** The public prices. */
interface PublicPrices {
  yes: number;
  no: number;
  bid: number;
  ask: number;
  last: number;
}

export class PriceHistoryWriter {
  readonly #market: number;
  readonly #prices: PublicPrices = { yes: 0, no: 0, bid: 0, ask: 0, last: 0 };
  readonly #buckets: readonly Bucket[];
  /** Micro-USD traded since the last point. */
  #traded = 0;
  #hasDirty = false;

  constructor(market: number, start?: MarketStart) {
    this.#market = market;
    this.#buckets = LENGTHS.map((_, at) => {
      const bucket = start?.buckets[at];
      return { start: bucket?.at ?? -1, volume: bucket?.volume ?? 0, isDirty: false };
    });
    if (start?.last !== undefined) Object.assign(this.#prices, publicPricesOf(start.last));
  }

  /** Adds traded micro-USD. */
  addVolume(amount: number): void {
    this.#traded += amount;
  }

  /** Adds a point if the public prices changed. Call it after each command that may change them. */
  addPointIfChanged(view: ExchangeView, rows: RowWriter): void {
    const { now, seq } = view;
    const quotes = view.quotes(this.#market);
    const book = view.book(this.#market);
    const last = view.market(this.#market)?.lastTrade ?? 0;
    if (quotes === undefined || book === undefined) return;
    const { yes, no } = quotes;
    const [bid, ask] = [book.bestBid, book.bestAsk];
    const was = this.#prices;
    const isSame = was.bid === bid && was.ask === ask && was.last === last && was.yes === yes && was.no === no;
    if (isSame && this.#traded === 0) return;
    this.#buckets.forEach((bucket, at) => {
      const length = LENGTHS[at] ?? 1;
      const start = Math.floor(now / length) * length;
      if (start !== bucket.start) {
        this.#write(bucket, length, rows);
        bucket.start = start;
        bucket.volume = 0;
      }
      bucket.volume += this.#traded;
      bucket.isDirty = true;
    });
    this.#hasDirty = true;
    Object.assign(was, { yes, no, bid, ask, last });
    rows.add('point', [this.#market, seq, now, yes, no, bid, ask, last, this.#traded]);
    this.#traded = 0;
  }

  /** Writes the changed buckets. */
  flush(rows: RowWriter): void {
    if (!this.#hasDirty) return;
    this.#hasDirty = false;
    this.#buckets.forEach((bucket, at) => {
      this.#write(bucket, LENGTHS[at] ?? 1, rows);
    });
  }

  #write(bucket: Bucket, length: number, rows: RowWriter): void {
    if (!bucket.isDirty) return;
    bucket.isDirty = false;
    const { yes, no, bid, ask, last } = this.#prices;
    rows.add('bucket', [this.#market, length, bucket.start, yes, no, bid, ask, last, bucket.volume]);
  }
}

/** Reads a point from the numbers of its row; the codes for "none" become undefined. */
export function pricePointOf(
  row: Readonly<PublicPrices> & { readonly at: number; readonly volume: number },
): PricePointRow {
  return {
    at: column.time(row.at),
    yes: row.yes,
    no: row.no,
    bestBid: row.bid === 0 ? undefined : row.bid,
    bestAsk: row.ask === 10_000 ? undefined : row.ask,
    lastTrade: row.last === 0 ? undefined : row.last,
    volume: row.volume,
  };
}

function publicPricesOf({ yes, no, bestBid, bestAsk, lastTrade }: PricePointRow): PublicPrices {
  return { yes, no, bid: bestBid ?? 0, ask: bestAsk ?? 10_000, last: lastTrade ?? 0 };
}
