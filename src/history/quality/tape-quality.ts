import { createHash } from 'node:crypto';
import { column, FileFault, formatTime } from '../../domain/index.ts';
import { BLOCK_ROWS, type Block, ContentHash, FLAG, KIND, makeBlock, rowProblem } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { type MarketQuality, MarketQualityMeter, type QualityOptions } from './market-quality.ts';

/** Everything that reading a tape from end to end tells. */
export interface TapeQuality {
  readonly rows: number;
  readonly messages: number;
  readonly from: number;
  readonly to: number;
  /** One for each market of the manifest, in its order. */
  readonly markets: readonly MarketQuality[];
}

/** How a reading goes on: called after each block with the share of rows read, 0..1. */
export interface CheckOptions extends QualityOptions {
  readonly onProgress?: (share: number) => void;
}

/**
 * Reads a whole tape, checks every row against the rules of `tape/` and the rows against the content hash, and measures
 * it. Memory: one book a market.
 * @throws FileFault on damage, on rows that break a rule, on a content hash that is not the manifest's
 */
export function checkTape(tape: TapeFile, options: CheckOptions = {}): TapeQuality {
  const { manifest, path } = tape;
  const meters = manifest.markets.map(({ grid }) => new MarketQualityMeter(grid, options));
  const hash = new ContentHash(() => createHash('sha256'));
  const rules = new RowRules(path, manifest.markets.length);
  const block = makeBlock(BLOCK_ROWS);
  const feed = tape.feed();
  let rows = 0;
  try {
    for (let count = feed.fill(block); count > 0; count = feed.fill(block)) {
      for (let row = 0; row < count; row += 1) {
        rules.check(block, row, rows + row);
        meters[block.market[row] ?? 0]?.row(block, row);
      }
      hash.add(block);
      rows += count;
      options.onProgress?.(rows / manifest.rows);
    }
  } finally {
    feed.close();
  }
  if (hash.digest() !== manifest.contentHash) {
    throw new FileFault(
      path,
      'footer',
      'the rows are not those of its content hash',
      'Import or generate the tape again',
    );
  }
  return {
    rows,
    messages: rules.messages,
    from: manifest.from,
    to: manifest.to,
    markets: meters.map((meter) => meter.result()),
  };
}

/** The rules of block.ts, row after row. */
class RowRules {
  messages = 0;
  readonly #path: string;
  readonly #markets: number;
  #tx = Number.NEGATIVE_INFINITY;
  #rx = 0;
  #ended = true;
  /** Whether the present message has had a level. */
  #levels = false;
  /** Markets that were resolved: what came of them is final. */
  readonly #resolved = new Set<number>();

  constructor(path: string, markets: number) {
    this.#path = path;
    this.#markets = markets;
  }

  check(block: Block, row: number, number: number): void {
    const problem = this.#problem(block, row);
    if (problem === undefined) return;
    throw new FileFault(
      this.#path,
      `row ${number}`,
      problem,
      'The program that wrote the tape is at fault: make it again',
    );
  }

  #problem(block: Block, row: number): string | undefined {
    const [tx, rx, flags, market] = [
      block.tx[row] ?? 0,
      block.rx[row] ?? 0,
      block.flags[row] ?? 0,
      block.market[row] ?? 0,
    ];
    if (tx < this.#tx) return `time runs back from ${this.#tx} to ${tx}`;
    if (!this.#ended && (tx !== this.#tx || rx !== this.#rx)) return 'two moments in one message';
    if (this.#ended) this.#levels = false;
    if (block.kind[row] === KIND.level) this.#levels = true;
    // A queue would move twice: by the level as if others had cancelled, then by the print.
    else if (this.#levels && block.kind[row] === KIND.trade) return 'a print after a level of its message';
    this.#tx = tx;
    this.#rx = rx;
    this.#ended = (flags & FLAG.last) !== 0;
    if (this.#ended) this.messages += 1;
    if (market >= this.#markets) return `market ${market} of ${this.#markets}`;
    const late = this.#afterEnd(market, block.kind[row] ?? 0, tx);
    if (late !== undefined) return late;
    const [kind, side, price, shares] = [block.kind[row], block.side[row], block.price[row], block.shares[row]];
    return rowProblem(market, kind ?? 0, side ?? 0, price ?? 0, shares ?? 0, flags & ~FLAG.last);
  }
  #afterEnd(market: number, kind: number, tx: number): string | undefined {
    if (kind !== KIND.status && kind !== KIND.resolution) return undefined;
    if (!this.#resolved.has(market)) {
      if (kind === KIND.resolution) this.#resolved.add(market);
      return undefined;
    }
    const what = kind === KIND.status ? 'a status' : 'a second resolution';
    return `${what} of market ${market} after its resolution, at ${formatTime(column.time(tx))}`;
  }
}
