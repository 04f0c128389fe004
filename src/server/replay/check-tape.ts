import { column, FileFault, FULL_BPS, formatTime } from '../../domain/index.ts';
import { ResolvedOnce } from '../../replay/index.ts';
import { BLOCK_ROWS, CANCELLED_PAYOUT, KIND, makeBlock } from '../../tape/index.ts';
import type { RecordedTape } from './settings.ts';

/** Possible payouts of a YES share (docs/spec/venue.md#market-states). */
const PAYOUTS: ReadonlySet<number> = new Set([0, FULL_BPS / 2, FULL_BPS, CANCELLED_PAYOUT]);

/**
 * Reads a whole tape before trading begins.
 * @throws FileFault for a damaged tape, or one with events that a market of the venue cannot have
 */
export function checkTape({ path, manifest, feed }: RecordedTape): void {
  const rows = new ResolvedOnce(feed(), path);
  const block = makeBlock(BLOCK_ROWS);
  try {
    for (let before = 0; rows.fill(block) > 0; before += block.count) {
      const { market, kind, price, tx } = block;
      for (let row = 0; row < block.count; row += 1) {
        const no = market[row] ?? 0;
        const fault = (problem: string): FileFault => {
          const where = `row ${before + row}, ${formatTime(column.time(tx[row] ?? 0))}`;
          return new FileFault(path, where, problem, 'Import or generate the tape again');
        };
        if (no >= manifest.markets.length) throw fault(`there is no market ${no} in the manifest`);
        if (kind[row] === KIND.resolution && !PAYOUTS.has(price[row] ?? 0)) {
          throw fault(`a YES share pays ${price[row]} bps, but a venue pays 0, 5000 or 10000`);
        }
      }
    }
  } finally {
    rows.close();
  }
}
