import { type Block, type Feed, FLAG } from '../../tape/index.ts';

/** A feed with the rows of some markets of another feed, with new market numbers. Messages stay whole. */
export class MarketFilter implements Feed {
  readonly #source: Feed;
  /** New number plus 1, by old number; 0 for a market that is left out. */
  readonly #numbers: Uint32Array;

  /** @param markets old numbers; the position is the new number */
  constructor(source: Feed, markets: readonly number[]) {
    this.#source = source;
    this.#numbers = new Uint32Array(65_536);
    for (const [place, market] of markets.entries()) this.#numbers[market] = place + 1;
  }

  fill(block: Block): number {
    while (this.#source.fill(block) > 0) {
      this.#filter(block);
      if (block.count > 0) break;
    }
    return block.count;
  }

  close(): void {
    this.#source.close();
  }

  #filter(block: Block): void {
    const { tx, rx, market, kind, side, price, shares, flags, count } = block;
    const numbers = this.#numbers;
    let to = 0;
    /** Start of the current message in the filtered rows. */
    let start = 0;
    for (let row = 0; row < count; row += 1) {
      const number = numbers[market[row] ?? 0] ?? 0;
      const isLast = ((flags[row] ?? 0) & FLAG.last) !== 0;
      if (number > 0) {
        tx[to] = tx[row] ?? 0;
        rx[to] = rx[row] ?? 0;
        market[to] = number - 1;
        kind[to] = kind[row] ?? 0;
        side[to] = side[row] ?? 0;
        price[to] = price[row] ?? 0;
        shares[to] = shares[row] ?? 0;
        flags[to] = (flags[row] ?? 0) & ~FLAG.last;
        to += 1;
      }
      if (!isLast) continue;
      if (to > start) flags[to - 1] = (flags[to - 1] ?? 0) | FLAG.last;
      start = to;
    }
    block.count = to;
  }
}
