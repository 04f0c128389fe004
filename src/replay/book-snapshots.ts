/** Snapshots of recorded markets: a replay that begins in the middle of a tape starts from them. */
import { type Block, KIND } from '../tape/index.ts';

export interface RowFacts {
  readonly kind: number;
  readonly side: number;
  readonly price: number;
  readonly shares: number;
}

interface BookSnapshot {
  readonly levels: Map<number, number>;
  status: number | undefined;
  placeDelay: number | undefined;
  resolution: number | undefined;
  /** In a gap: the levels are not known. */
  isLost: boolean;
}

/** Side and price as one key. */
const SIDE_STEP = 65_536;

export class BookSnapshots {
  readonly #snapshots = new Map<number, BookSnapshot>();

  apply(block: Block, row: number): void {
    const price = block.price[row] ?? 0;
    const shares = block.shares[row] ?? 0;
    const image = this.#snapshotOf(block.market[row] ?? 0);
    switch (block.kind[row]) {
      case KIND.level: {
        if (image.isLost) break;
        const key = (block.side[row] ?? 0) * SIDE_STEP + price;
        if (shares === 0) image.levels.delete(key);
        else image.levels.set(key, shares);
        break;
      }
      case KIND.clear:
      case KIND.gap:
        image.levels.clear();
        image.isLost = block.kind[row] === KIND.gap;
        break;
      case KIND.status:
        image.status = price;
        break;
      case KIND.placeDelay:
        image.placeDelay = shares;
        break;
      case KIND.resolution:
        image.resolution = price;
        break;
      default:
    }
  }

  /** Rows that rebuild a market: its state, its levels, its resolution. */
  rowsOf(market: number): readonly RowFacts[] {
    const image = this.#snapshots.get(market);
    if (image === undefined) return [];
    const { levels, status, placeDelay, resolution, isLost } = image;
    const none = { side: 0, price: 0, shares: 0 };
    return [
      ...(placeDelay === undefined ? [] : [{ ...none, kind: KIND.placeDelay, shares: placeDelay }]),
      ...(status === undefined ? [] : [{ ...none, kind: KIND.status, price: status }]),
      ...(isLost ? [{ ...none, kind: KIND.gap }] : []),
      ...[...levels].map(([key, shares]) => ({
        kind: KIND.level,
        shares,
        side: Math.floor(key / SIDE_STEP),
        price: key % SIDE_STEP,
      })),
      ...(resolution === undefined ? [] : [{ ...none, kind: KIND.resolution, price: resolution }]),
    ];
  }

  all(): readonly (readonly [market: number, rows: readonly RowFacts[]])[] {
    const markets = [...this.#snapshots.keys()].sort((a, b) => a - b);
    return markets.map((market) => [market, this.rowsOf(market)]);
  }

  #snapshotOf(market: number): BookSnapshot {
    const known = this.#snapshots.get(market);
    if (known !== undefined) return known;
    const image = {
      levels: new Map(),
      status: undefined,
      placeDelay: undefined,
      resolution: undefined,
      isLost: false,
    };
    this.#snapshots.set(market, image);
    return image;
  }
}
