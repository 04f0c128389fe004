/**
 * Applies the rules of row-rules.ts to a whole block read from a file.
 *
 * HOT: checks every row read, about 4 ns a row in bench/replay.ts. One test passes most rows: a level that is the last row
 * of its message. Other frequent rows are checked inline; only rare kinds cost a call.
 */
import { FULL_BPS, LOT } from '../domain/index.ts';
import { type Block, FLAG, KIND, SIDE } from './block.ts';
import { NO_LEVEL, rowProblem, timeProblem } from './row-rules.ts';

const LAST = FLAG.last;
const FLAGS = FLAG.last | FLAG.inferred;
const { level: LEVEL, trade: TRADE } = KIND;
/** Bits that the side of a level never has. */
const INVALID_SIDE_BITS = 255 - SIDE.ask;

/** Checks everything but market numbers. @throws RangeError that names the first invalid row */
export function checkRows(block: Block): void {
  const { count, tx, rx, kind, side, price, shares, flags } = block;
  if (count === 0) return;
  const last = count - 1;
  const problem = timeProblem(tx[0]!, rx[0]!) ?? timeProblem(tx[last]!, rx[last]!);
  if (problem !== undefined) throw new RangeError(problem);
  /** Whether an earlier row of the message is a level. */
  let hasLevels = false;
  for (let row = 0; row < count; row += 1) {
    const rowKind = kind[row]!;
    const flag = flags[row]!;
    // 0 becomes 2^32 - 1, so one comparison checks both ends.
    const isPrice = (price[row]! - 1) >>> 0 < FULL_BPS - 1;
    if ((rowKind | (flag ^ LAST) | (side[row]! & INVALID_SIDE_BITS)) === 0 && isPrice) continue;
    if ((flag & LAST) === 0) {
      if (row === last) throw new RangeError(`row ${row}: the last message is incomplete`);
      if (tx[row + 1] !== tx[row] || rx[row + 1] !== rx[row]) {
        throw new RangeError(`row ${row + 1}: two times in one message`);
      }
    }
    if (row > 0 && (flags[row - 1]! & LAST) !== 0) hasLevels = false;
    if (rowKind === TRADE) {
      if (hasLevels) throw new RangeError(`row ${row}: a print after a level of its message`);
      if (side[row]! > SIDE.unknown || !isPrice || shares[row] === 0 || flag > FLAGS) checkRow(block, row);
    } else if (rowKind === LEVEL) {
      hasLevels = true;
      if (side[row]! > SIDE.ask || !isPrice || flag > FLAGS) checkRow(block, row);
    } else checkRow(block, row);
  }
}

/** Checks sizes with enough planes to exceed 2^53. @throws RangeError */
export function checkSizes({ shares }: Block, rows: number): void {
  for (let row = 0; row < rows; row += 1) {
    if (shares[row]! > Number.MAX_SAFE_INTEGER)
      throw new RangeError(`row ${row}: a size of ${shares[row]! / LOT} lots`);
  }
}

/** @throws RangeError for a market number of `markets` or above */
export function checkMarkets({ market }: Block, rows: number, markets: number): void {
  for (let row = 0; row < rows; row += 1) {
    if (market[row]! >= markets) throw new RangeError(`row ${row}: market ${market[row]} of ${markets}`);
  }
}

/** The full check of one row. @throws RangeError if the row is invalid */
function checkRow(block: Block, row: number): void {
  const { market, kind, side, price, shares, flags } = block;
  const bits = flags[row]! & ~FLAG.last;
  const problem = rowProblem(market[row]!, kind[row]!, side[row]!, price[row]!, shares[row]!, bits);
  if (problem !== undefined) throw new RangeError(`row ${row}: ${problem}`);
  if (kind[row] === KIND.ahead && !isLevelNext(block, row)) throw new RangeError(`row ${row}: ${NO_LEVEL}`);
}

function isLevelNext({ market, kind, side, price, flags }: Block, row: number): boolean {
  const next = row + 1;
  if ((flags[row]! & FLAG.last) !== 0 || kind[next] !== KIND.level) return false;
  return market[next] === market[row] && side[next] === side[row] && price[next] === price[row];
}
