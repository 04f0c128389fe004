import { FileFault, formatTime, unchecked } from '../domain/index.ts';
import { type Block, type Feed, KIND } from '../tape/index.ts';

/** Reads the rows of one tape and throws at a second, different resolution of a market. */
export class ResolvedOnce implements Feed {
  readonly #source: Feed;
  readonly #path: string;
  /** `price` of the resolution row of each market that had one. */
  readonly #payouts = new Map<number, number>();
  /** Rows before the current block. */
  #rows = 0;

  /** @param path path of the tape, for the fault */
  constructor(source: Feed, path: string) {
    this.#source = source;
    this.#path = path;
  }

  fill(block: Block): number {
    const count = this.#source.fill(block);
    // Resolutions are rare, so a search in one column is fast.
    let row = block.kind.indexOf(KIND.resolution);
    for (; row !== -1 && row < count; row = block.kind.indexOf(KIND.resolution, row + 1)) this.#check(block, row);
    this.#rows += count;
    return count;
  }

  close(): void {
    this.#source.close();
  }

  #check(block: Block, row: number): void {
    const [market = 0, payout = 0, tx = 0] = [block.market[row], block.price[row], block.tx[row]];
    const first = this.#payouts.get(market) ?? payout;
    this.#payouts.set(market, first);
    if (first === payout) return;
    throw new FileFault(
      this.#path,
      `row ${this.#rows + row}, ${formatTime(unchecked.time(tx))}`,
      `market ${market} resolves to ${payout} after it resolved to ${first}`,
      'The program that wrote the tape is at fault: make it again',
    );
  }
}
