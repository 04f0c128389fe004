/** Prices over time. */
import { PRICE_INTERVALS, type PricePointRow, type PriceRequest, pricePointOf } from '../../exchange/index.ts';
import { type Connection, guarded } from './database.ts';

/** Columns of points and of buckets. */
type PointColumns = Parameters<typeof pricePointOf>[0];

const MOST = 2_000;

/** Asks for prices. */
export class PriceQueries {
  readonly #file: string;
  readonly #points;
  readonly #buckets;

  constructor(connection: Connection, file: string) {
    this.#file = file;
    this.#points = connection.prepare<[number, number, number, number], PointColumns>(
      `SELECT at, yes, no, bid, ask, last, volume FROM price_points WHERE market = ? AND at BETWEEN ? AND ?
        ORDER BY at DESC, seq DESC LIMIT ?`,
    );
    this.#buckets = connection.prepare<[number, number, number, number, number], PointColumns>(
      `SELECT at, yes, no, bid, ask, last, volume FROM price_buckets WHERE market = ? AND length = ?
        AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?`,
    );
  }

  /** Oldest first. */
  list({ market, interval, since, until, most = MOST }: PriceRequest): readonly PricePointRow[] {
    const [from, to] = [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER];
    const found = guarded(this.#file, 'read', () =>
      interval === 'RAW'
        ? this.#points.all(market, from, to, most)
        : this.#buckets.all(market, PRICE_INTERVALS[interval], from, to, most),
    );
    return found.map(pricePointOf).toReversed();
  }

  /** The last point, and the last bucket of each length. */
  ends(market: number): {
    readonly last: PricePointRow | undefined;
    readonly buckets: readonly (PricePointRow | undefined)[];
  } {
    const last = this.list({ market, interval: 'RAW', most: 1 }).at(-1);
    const buckets = Object.values(PRICE_INTERVALS).map((length) => {
      const found = this.#buckets.get(market, length, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1);
      return found === undefined ? undefined : pricePointOf(found);
    });
    return { last, buckets };
  }
}
