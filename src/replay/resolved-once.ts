import { column, FileFault, formatTime } from '../domain/index.ts';
import { type Block, type Feed, KIND } from '../tape/index.ts';

/** The rows of one tape. Refuses a second, different resolution of a market; a repeated one passes. */
export class ResolvedOnce implements Feed {
  readonly #source: Feed;
  readonly #path: string;
  /** `price` of the resolution row of each market that had one. */
  readonly #payouts = new Map<number, number>();
  /** Rows before the present block. */
  #rows = 0;

  /** @param path of the tape, for the fault */
  constructor(source: Feed, path: string) {
    this.#source = source;
    this.#path = path;
  }

  /** @throws FileFault for a second resolution that differs from the first, and as the tape's own feed does */
  fill(block: Block): number {
    const count = this.#source.fill(block);
    // A search through the bytes of one column, as resolutions are some few in millions of rows.
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
      `row ${this.#rows + row}, ${formatTime(column.time(tx))}`,
      `market ${market} of the tape resolves a second time, and to ${payout} instead of ${first}`,
      'The program that wrote the tape is at fault: make it again',
    );
  }
}
