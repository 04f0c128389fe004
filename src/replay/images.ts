/** Recorded markets as some rows left them: where a replay begins in the middle, what it begins with. */
import { type Block, KIND } from '../tape/index.ts';

/** What a row says, without its market and time. */
export interface RowFacts {
  readonly kind: number;
  readonly side: number;
  readonly price: number;
  readonly shares: number;
}

interface Image {
  readonly levels: Map<number, number>;
  status: number | undefined;
  placeDelay: number | undefined;
  resolution: number | undefined;
}

/** Side and price as one key. */
const SIDE_STEP = 65_536;

/** Of each market of a tape that had a row. */
export class Images {
  readonly #images = new Map<number, Image>();

  /** One more row. */
  take(block: Block, row: number): void {
    const price = block.price[row] ?? 0;
    const shares = block.shares[row] ?? 0;
    const image = this.#imageOf(block.market[row] ?? 0);
    switch (block.kind[row]) {
      case KIND.level: {
        const key = (block.side[row] ?? 0) * SIDE_STEP + price;
        if (shares === 0) image.levels.delete(key);
        else image.levels.set(key, shares);
        break;
      }
      case KIND.clear:
        image.levels.clear();
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

  /** Rows that make a market what it is: its state, its levels, its end. */
  rowsOf(market: number): readonly RowFacts[] {
    const image = this.#images.get(market);
    if (image === undefined) return [];
    const { levels, status, placeDelay, resolution } = image;
    const none = { side: 0, price: 0, shares: 0 };
    return [
      ...(placeDelay === undefined ? [] : [{ ...none, kind: KIND.placeDelay, shares: placeDelay }]),
      ...(status === undefined ? [] : [{ ...none, kind: KIND.status, price: status }]),
      ...[...levels].map(([key, shares]) => ({
        kind: KIND.level,
        shares,
        side: Math.floor(key / SIDE_STEP),
        price: key % SIDE_STEP,
      })),
      ...(resolution === undefined ? [] : [{ ...none, kind: KIND.resolution, price: resolution }]),
    ];
  }

  /** By number of the market. */
  all(): readonly (readonly [market: number, rows: readonly RowFacts[]])[] {
    const markets = [...this.#images.keys()].sort((a, b) => a - b);
    return markets.map((market) => [market, this.rowsOf(market)]);
  }

  #imageOf(market: number): Image {
    const known = this.#images.get(market);
    if (known !== undefined) return known;
    const image = { levels: new Map(), status: undefined, placeDelay: undefined, resolution: undefined };
    this.#images.set(market, image);
    return image;
  }
}
