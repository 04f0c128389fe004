/** Prices over time. */
import { PRICE_INTERVALS, type PricePointRow, type PriceRequest, pricePointOf } from '../../exchange/index.ts';
import type { Connection } from './database.ts';
import type { DatabaseReads } from './database-reads.ts';
import { VENUE_CHECKSUMS } from './venue-checksums.ts';

/** Columns that points and buckets have in common. */
type PointColumns = Parameters<typeof pricePointOf>[0] & { readonly market: number; readonly crc: number };

const MAX_POINTS = 2_000;

export class PriceQueries {
  readonly #reads: DatabaseReads;
  readonly #point;
  readonly #bucket;
  readonly #points;
  readonly #buckets;

  constructor(connection: Connection, reads: DatabaseReads) {
    this.#reads = reads;
    this.#point = reads.rows('price_points', VENUE_CHECKSUMS.price_points, (row: PointColumns) => pricePointOf(row));
    this.#bucket = reads.rows('price_buckets', VENUE_CHECKSUMS.price_buckets, (row: PointColumns) => pricePointOf(row));
    this.#points = connection.prepare<[number, number, number, number], PointColumns>(
      `SELECT * FROM price_points WHERE market = ? AND at BETWEEN ? AND ?
        ORDER BY at DESC, seq DESC LIMIT ?`,
    );
    this.#buckets = connection.prepare<[number, number, number, number, number], PointColumns>(
      `SELECT * FROM price_buckets WHERE market = ? AND length = ?
        AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?`,
    );
  }

  /** Oldest first. */
  list({ market, interval, since, until, max = MAX_POINTS }: PriceRequest): readonly PricePointRow[] {
    const [from, to] = [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER];
    const rows =
      interval === 'RAW'
        ? this.#reads.query(() => this.#points.all(market, from, to, max), 'price_points').map(this.#point)
        : this.#reads
            .query(() => this.#buckets.all(market, PRICE_INTERVALS[interval], from, to, max), 'price_buckets')
            .map(this.#bucket);
    return rows.toReversed();
  }

  /** The last point, and the last bucket of each length. */
  ends(market: number): {
    readonly last: PricePointRow | undefined;
    readonly buckets: readonly (PricePointRow | undefined)[];
  } {
    const last = this.list({ market, interval: 'RAW', max: 1 }).at(-1);
    const buckets = Object.values(PRICE_INTERVALS).map((length) => {
      const [from, to] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
      const found = this.#reads.query(() => this.#buckets.get(market, length, from, to, 1), 'price_buckets');
      return found === undefined ? undefined : this.#bucket(found);
    });
    return { last, buckets };
  }
}
