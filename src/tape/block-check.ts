/**
 * The rules of row-rules.ts over a whole block that came from a file.
 *
 * HOT: every row that is read, about 4 ns a row in bench/replay.ts. One test lets most rows pass: a level that is the last
 * row of its message. Whatever else there is follows in one loop without a call, but for kinds that are rare.
 */
import { FULL_BPS, LOT } from '../domain/index.ts';
import { type Block, FLAG, KIND, SIDE } from './block.ts';
import { NO_LEVEL, rowProblem, timeProblem } from './row-rules.ts';

const LAST = FLAG.last;
const FLAGS = FLAG.last | FLAG.inferred;
const { level: LEVEL, trade: TRADE } = KIND;
/** Bits that no side of a level has. */
const NO_LADDER = 255 - SIDE.ask;

/** All but market numbers. @throws RangeError that names the first row that cannot be */
export function checkRows(block: Block): void {
  const { count, tx, rx, kind, side, price, shares, flags } = block;
  if (count === 0) return;
  const last = count - 1;
  const problem = timeProblem(tx[0]!, rx[0]!) ?? timeProblem(tx[last]!, rx[last]!);
  if (problem !== undefined) throw new RangeError(problem);
  /** Whether a row before this one, of the same message, is a level. */
  let hasLevels = false;
  for (let row = 0; row < count; row += 1) {
    const what = kind[row]!;
    const flag = flags[row]!;
    // Of 0 this makes 2^32 - 1: one comparison for both ends.
    const isPrice = (price[row]! - 1) >>> 0 < FULL_BPS - 1;
    if ((what | (flag ^ LAST) | (side[row]! & NO_LADDER)) === 0 && isPrice) continue;
    if ((flag & LAST) === 0) {
      if (row === last) throw new RangeError(`row ${row}: the last message has no end`);
      if (tx[row + 1] !== tx[row] || rx[row + 1] !== rx[row]) {
        throw new RangeError(`row ${row + 1}: two moments in one message`);
      }
    }
    if (row > 0 && (flags[row - 1]! & LAST) !== 0) hasLevels = false;
    if (what === TRADE) {
      if (hasLevels) throw new RangeError(`row ${row}: a print after a level of its message`);
      if (side[row]! > SIDE.unknown || !isPrice || shares[row] === 0 || flag > FLAGS) refuse(block, row);
    } else if (what === LEVEL) {
      hasLevels = true;
      if (side[row]! > SIDE.ask || !isPrice || flag > FLAGS) refuse(block, row);
    } else refuse(block, row);
  }
}

/** For sizes of so many planes that they can pass 2^53. @throws RangeError */
export function checkSizes({ shares }: Block, rows: number): void {
  for (let row = 0; row < rows; row += 1) {
    if (shares[row]! > Number.MAX_SAFE_INTEGER) throw new RangeError(`row ${row}: ${shares[row]! / LOT} lots`);
  }
}

/** For market numbers that can be too large. @throws RangeError */
export function checkMarkets({ market }: Block, rows: number, markets: number): void {
  for (let row = 0; row < rows; row += 1) {
    if (market[row]! >= markets) throw new RangeError(`row ${row}: market ${market[row]} of ${markets}`);
  }
}

/** Throws what is wrong with a row, if anything is. */
function refuse(block: Block, row: number): void {
  const { market, kind, side, price, shares, flags } = block;
  const bits = flags[row]! & ~FLAG.last;
  const problem = rowProblem(market[row]!, kind[row]!, side[row]!, price[row]!, shares[row]!, bits);
  if (problem !== undefined) throw new RangeError(`row ${row}: ${problem}`);
  if (kind[row] === KIND.ahead && !isLevelNext(block, row)) throw new RangeError(`row ${row}: ${NO_LEVEL}`);
}

/** Whether the next row sets the level of an `ahead` row. */
function isLevelNext({ market, kind, side, price, flags }: Block, row: number): boolean {
  const next = row + 1;
  if ((flags[row]! & FLAG.last) !== 0 || kind[next] !== KIND.level) return false;
  return market[next] === market[row] && side[next] === side[row] && price[next] === price[row];
}
