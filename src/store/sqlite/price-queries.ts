/** Prices over time. */
import { PRICE_INTERVALS, type PricePointRow, type PriceRequest, pricePointOf } from '../../exchange/index.ts';
import { VENUE_CHECKSUMS } from './columns.ts';
import type { DatabaseReads } from './database-reads.ts';

/** Columns that points and buckets have in common. */
type PointColumns = Parameters<typeof pricePointOf>[0] & { readonly market: number; readonly crc: number };

export class PriceQueries {
  readonly #points;
  readonly #buckets;

  constructor(reads: DatabaseReads) {
    const { price_points, price_buckets } = VENUE_CHECKSUMS;
    const point = (row: PointColumns): PricePointRow => pricePointOf(row);
    this.#points = reads
      .table('price_points', price_points, point)
      .all<[number, number, number, number]>(
        'WHERE market = ? AND at BETWEEN ? AND ? ORDER BY at DESC, seq DESC LIMIT ?',
      );
    this.#buckets = reads
      .table('price_buckets', price_buckets, point)
      .all<[number, number, number, number, number]>(
        'WHERE market = ? AND length = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?',
      );
  }

  /** Returns the newest `max` points, oldest first. */
  list({ market, interval, since, until, max }: PriceRequest): readonly PricePointRow[] {
    const [from, to] = [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER];
    const rows =
      interval === 'RAW'
        ? this.#points(market, from, to, max)
        : this.#buckets(market, PRICE_INTERVALS[interval], from, to, max);
    return rows.toReversed();
  }

  /** Returns the last point, and the last bucket of each length. */
  ends(market: number) {
    const [last] = this.list({ market, interval: 'RAW', max: 1 });
    const buckets = Object.values(PRICE_INTERVALS).map(
      (length) => this.#buckets(market, length, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1)[0],
    );
    return { last, buckets };
  }
}
