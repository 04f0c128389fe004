/**
 * The rules for rows, for writers and readers.
 *
 * HOT: a writer checks every row; a reader checks whole blocks, about 4 ns a row (bench/replay.ts). One comparison
 * accepts most rows, which are levels at the end of their message. Only rare kinds need a function call.
 */
import { FULL_BPS, LOT } from '../domain/index.ts';
import { type Block, CANCELLED_PAYOUT, FLAG, KIND, SIDE, STATUS_CODES } from './block.ts';

const LAST = FLAG.last;
/** Rows with a higher value of `flags` are rare and get the complete check. */
const MAX_FREQUENT_FLAGS = FLAG.last | FLAG.inferred;
const { level: LEVEL, trade: TRADE } = KIND;
/** Bits that the side of a level never has. */
const INVALID_SIDE_BITS = 255 - SIDE.ask;

/** Maximum number of rows of a stored block, and therefore of a message. */
export const BLOCK_ROWS = 32_768;

/** Last valid time, epoch ms: the end of the year 9999. The first valid time is 0. */
export const LAST_TIME = 253_402_300_799_999;
/** Maximum difference of receive time and exchange time, ms: 2^47 - 1. */
export const MAX_TIME_DIFFERENCE_MS = 140_737_488_355_327;
/** Maximum placing delay: a day. */
export const MAX_PLACE_DELAY_MS = 86_400_000;

/** Apart from `last`, a print has at most one of these flags. */
const PRINT_FLAGS: ReadonlySet<number> = new Set([FLAG.inferred, FLAG.own, FLAG.late]);
const LEVEL_FLAGS: ReadonlySet<number> = new Set([FLAG.inferred, FLAG.opening]);

export function timeProblem(tx: number, rx: number): string | undefined {
  if (!(Number.isSafeInteger(tx) && tx >= 0 && tx <= LAST_TIME)) return `invalid exchange time ${tx}`;
  if (!(Number.isSafeInteger(rx) && Math.abs(rx - tx) <= MAX_TIME_DIFFERENCE_MS)) return `invalid receive time ${rx}`;
  return undefined;
}

export function rowProblem(
  market: number,
  kind: number,
  side: number,
  price: number,
  shares: number,
  flags: number,
): string | undefined {
  if (!isUint16(market)) return `invalid market number ${market}`;
  if (!(Number.isSafeInteger(shares) && shares >= 0)) return `invalid size ${shares}`;
  if (flags !== 0 && !(kind === KIND.trade ? PRINT_FLAGS : LEVEL_FLAGS).has(flags)) return `invalid flags ${flags}`;
  const isTradable = Number.isInteger(price) && price > 0 && price < FULL_BPS;
  if (kind === KIND.level || kind === KIND.ahead) {
    const name = kind === KIND.level ? 'level' : 'size ahead';
    if (!isTradable || (side !== SIDE.bid && side !== SIDE.ask)) return `invalid ${name} at ${price} on side ${side}`;
    return kind === KIND.ahead && flags !== 0 ? `invalid flags ${flags}` : lotProblem(shares);
  }
  if (side !== SIDE.bid && side !== SIDE.ask && side !== SIDE.unknown) return `invalid side ${side}`;
  if (kind === KIND.trade) {
    if (flags === FLAG.own && side === SIDE.unknown) return 'an own print of unknown side';
    return isTradable && shares > 0 ? lotProblem(shares) : `invalid trade of ${shares} at ${price} on side ${side}`;
  }
  if (!isUint16(price)) return `invalid price ${price}`;
  switch (kind) {
    case KIND.status:
      return STATUS_CODES[price] === undefined ? `invalid status ${price}` : lotProblem(shares);
    case KIND.resolution:
      return price <= FULL_BPS || price === CANCELLED_PAYOUT ? lotProblem(shares) : `invalid payout ${price}`;
    case KIND.clear:
      return lotProblem(shares);
    case KIND.placeDelay:
      return shares > MAX_PLACE_DELAY_MS ? `invalid delay of ${shares} ms` : undefined;
    case KIND.gap:
      return price === 0 && shares === 0 ? undefined : `a gap with price ${price} and size ${shares} instead of 0`;
    default:
      return `invalid kind ${kind}`;
  }
}

const NO_LEVEL = 'a size ahead without its level in the next row';

/**
 * Checks the order of rows. In a message, prints precede levels, and an `ahead` row directly precedes its level. No
 * status and no second resolution follows the resolution of a market.
 */
export class RowOrderChecker {
  #hasLevels = false;
  /** Market, side and price of the preceding `ahead` row, whose level must be the next row. */
  #ahead: string | undefined;
  readonly #resolved = new Set<number>();

  begin(): void {
    this.#hasLevels = false;
    this.#ahead = undefined;
  }

  /** Returns the problem of a message that ends here; undefined for none. */
  endProblem(): string | undefined {
    return this.#ahead === undefined ? undefined : NO_LEVEL;
  }

  /** Returns the problem of the next row; undefined for none. The row must already pass `rowProblem`. */
  problem(market: number, kind: number, side: number, price: number): string | undefined {
    if (this.#ahead !== undefined) {
      if (kind !== KIND.level || this.#ahead !== `${market} ${side} ${price}`) return NO_LEVEL;
      this.#ahead = undefined;
    }
    if (kind === KIND.level) this.#hasLevels = true;
    else if (kind === KIND.ahead) this.#ahead = `${market} ${side} ${price}`;
    // A print after its level would advance a queue twice: at the level, as if others had cancelled, and at the print.
    else if (kind === KIND.trade) return this.#hasLevels ? 'a print after a level of its message' : undefined;
    else if (kind === KIND.status || kind === KIND.resolution) return this.#resolvedProblem(market, kind);
    return undefined;
  }

  #resolvedProblem(market: number, kind: number): string | undefined {
    if (this.#resolved.has(market)) {
      const name = kind === KIND.status ? 'a status' : 'a second resolution';
      return `${name} of market ${market} after its resolution`;
    }
    if (kind === KIND.resolution) this.#resolved.add(market);
    return undefined;
  }
}

/** Checks a block from a file, except its market numbers. @throws RangeError that names the first invalid row */
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
    // `>>>` turns -1 into 2^32 - 1, so one comparison checks both ends.
    const isPrice = (price[row]! - 1) >>> 0 < FULL_BPS - 1;
    if ((rowKind | (flag ^ LAST) | (side[row]! & INVALID_SIDE_BITS)) === 0 && isPrice) continue;
    if ((flag & LAST) === 0) {
      if (row === last) throw new RangeError(`row ${row}: the last message is incomplete`);
      if (tx[row + 1] !== tx[row] || rx[row + 1] !== rx[row])
        throw new RangeError(`row ${row + 1}: its times differ from the previous row of the message`);
    }
    if (row > 0 && (flags[row - 1]! & LAST) !== 0) hasLevels = false;
    if (rowKind === TRADE) {
      if (hasLevels) throw new RangeError(`row ${row}: a print after a level of its message`);
      if (side[row]! > SIDE.unknown || !isPrice || shares[row] === 0 || flag > MAX_FREQUENT_FLAGS) checkRow(block, row);
    } else if (rowKind === LEVEL) {
      hasLevels = true;
      if (side[row]! > SIDE.ask || !isPrice || flag > MAX_FREQUENT_FLAGS) checkRow(block, row);
    } else checkRow(block, row);
  }
}

/** @throws RangeError for a size above 2^53 micro-shares */
export function checkSizes({ shares }: Block, rows: number): void {
  for (let row = 0; row < rows; row += 1) {
    if (shares[row]! > Number.MAX_SAFE_INTEGER)
      throw new RangeError(`row ${row}: a size of ${shares[row]! / LOT} lots exceeds 2^53 micro-shares`);
  }
}

/** @throws RangeError for a market number of `markets` or above */
export function checkMarkets({ market }: Block, rows: number, markets: number): void {
  for (let row = 0; row < rows; row += 1) {
    if (market[row]! >= markets) throw new RangeError(`row ${row}: market ${market[row]} is not below ${markets}`);
  }
}

/** @throws RangeError if the row is invalid */
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

function lotProblem(shares: number): string | undefined {
  return shares % LOT === 0 ? undefined : `size ${shares} is not a whole number of lots`;
}

function isUint16(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 65_535;
}
