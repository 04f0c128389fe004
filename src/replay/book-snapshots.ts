/** Snapshots of recorded markets, from which a replay starts in the middle of a tape. */
import { type Block, KIND } from '../tape/index.ts';

/** A row of a tape that rebuilds a part of a market. */
export interface SnapshotRow {
  readonly kind: number;
  readonly side: number;
  readonly price: number;
  readonly shares: number;
}

class BookSnapshot {
  readonly levels = new Map<number, number>();
  status: number | undefined;
  placeDelay: number | undefined;
  resolution: number | undefined;
  /** Whether the recording is in a gap, so that the levels are unknown. */
  isInGap = false;
}

/** A key of `levels` is `side * SIDE_STEP + price`. */
const SIDE_STEP = 65_536;

export class BookSnapshots {
  readonly #snapshots = new Map<number, BookSnapshot>();

  apply(block: Block, row: number): void {
    const price = block.price[row] ?? 0;
    const shares = block.shares[row] ?? 0;
    const market = block.market[row] ?? 0;
    const snapshot = this.#snapshots.get(market) ?? this.#add(market);
    switch (block.kind[row]) {
      case KIND.level: {
        if (snapshot.isInGap) break;
        const key = (block.side[row] ?? 0) * SIDE_STEP + price;
        if (shares === 0) snapshot.levels.delete(key);
        else snapshot.levels.set(key, shares);
        break;
      }
      case KIND.clear:
      case KIND.gap:
        snapshot.levels.clear();
        snapshot.isInGap = block.kind[row] === KIND.gap;
        break;
      case KIND.status:
        snapshot.status = price;
        break;
      case KIND.placeDelay:
        snapshot.placeDelay = shares;
        break;
      case KIND.resolution:
        snapshot.resolution = price;
        break;
      default:
    }
  }

  /** Returns the rows that rebuild a market: its state, levels and resolution. */
  toRows(market: number): readonly SnapshotRow[] {
    const snapshot = this.#snapshots.get(market);
    if (snapshot === undefined) return [];
    const { levels, status, placeDelay, resolution, isInGap } = snapshot;
    const none = { side: 0, price: 0, shares: 0 };
    return [
      ...(placeDelay === undefined ? [] : [{ ...none, kind: KIND.placeDelay, shares: placeDelay }]),
      ...(status === undefined ? [] : [{ ...none, kind: KIND.status, price: status }]),
      ...(isInGap ? [{ ...none, kind: KIND.gap }] : []),
      ...[...levels].map(([key, shares]) => ({
        kind: KIND.level,
        shares,
        side: Math.floor(key / SIDE_STEP),
        price: key % SIDE_STEP,
      })),
      ...(resolution === undefined ? [] : [{ ...none, kind: KIND.resolution, price: resolution }]),
    ];
  }

  toRowsByMarket(): readonly (readonly [market: number, rows: readonly SnapshotRow[]])[] {
    const markets = [...this.#snapshots.keys()].sort((a, b) => a - b);
    return markets.map((market) => [market, this.toRows(market)]);
  }

  #add(market: number): BookSnapshot {
    const snapshot = new BookSnapshot();
    this.#snapshots.set(market, snapshot);
    return snapshot;
  }
}
