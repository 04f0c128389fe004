import { createHash } from 'node:crypto';
import { FileFault, formatTime, unchecked } from '../../domain/index.ts';
import { BLOCK_ROWS, ContentHash, FLAG, makeBlock, RowOrderChecker } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { type MarketQuality, MarketQualityMeter, type QualityOptions } from './market-quality.ts';

export interface TapeQuality {
  readonly rows: number;
  readonly messages: number;
  readonly from: number;
  readonly to: number;
  readonly markets: readonly MarketQuality[];
}

export interface CheckOptions extends QualityOptions {
  /** Called after each block with the fraction of the rows that is read, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Checks every row and the content hash of a tape, and measures the quality. Keeps one book per market in memory.
 * @throws FileFault for a damaged file, rows that break a rule of `tape/`, or a wrong content hash
 */
export function checkTape(tape: TapeFile, options: CheckOptions = {}): TapeQuality {
  const { manifest, path } = tape;
  const meters = manifest.markets.map(({ grid }) => new MarketQualityMeter(grid, options));
  const hash = new ContentHash(() => createHash('sha256'));
  const order = new RowOrderChecker();
  const block = makeBlock(BLOCK_ROWS);
  const changed = new Set<MarketQualityMeter>();
  const feed = tape.feed();
  let rows = 0;
  let messages = 0;
  try {
    for (let count = feed.fill(block); count > 0; count = feed.fill(block)) {
      for (let row = 0; row < count; row += 1) {
        const [market = 0, kind = 0, flags = 0] = [block.market[row], block.kind[row], block.flags[row]];
        const time = block.tx[row] ?? 0;
        const problem = order.problem(market, kind, block.side[row] ?? 0, block.price[row] ?? 0);
        if (problem !== undefined) {
          const where = `row ${rows + row}, ${formatTime(unchecked.time(time))}`;
          throw new FileFault(path, where, problem, 'Make the tape again: the program that wrote it has a fault');
        }
        const meter = meters[market];
        meter?.addRow(block, row);
        if (meter !== undefined) changed.add(meter);
        if ((flags & FLAG.last) === 0) continue;
        for (const each of changed) each.endMessage(time);
        changed.clear();
        order.begin();
        messages += 1;
      }
      hash.add(block);
      rows += count;
      options.onProgress?.(rows / manifest.rows);
    }
  } finally {
    feed.close();
  }
  if (hash.digest() !== manifest.contentHash) {
    const problem = 'the content hash of the rows differs from the manifest';
    throw new FileFault(path, 'footer', problem, 'Import or generate the tape again');
  }
  return { rows, messages, from: manifest.from, to: manifest.to, markets: meters.map((meter) => meter.finish()) };
}
