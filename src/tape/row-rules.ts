/**
 * The rules for rows, defined once for writers and readers.
 *
 * HOT: a writer checks every row; `checkRows` (block-check.ts) does it for whole blocks that come from a file.
 */
import { FULL_BPS, LOT } from '../domain/index.ts';
import { CANCELLED_PAYOUT, FLAG, KIND, SIDE, STATUS_CODES } from './block.ts';

/** Rows in a stored block, and so the most that one message can have. A reader's block of this capacity holds any. */
export const BLOCK_ROWS = 32_768;

/** The last moment that a tape can hold: the end of the year 9999, epoch ms. The first is 0. */
export const LAST_TIME = 253_402_300_799_999;
/** The most by which receive time and exchange time differ, ms. */
export const MOST_LATE = 140_737_488_355_327;
/** The longest delay of places, ms: a day. */
const LONGEST_DELAY = 86_400_000;

/** Beside `last`; a print is at most one of them. */
const PRINT_FLAGS: ReadonlySet<number> = new Set([FLAG.inferred, FLAG.own, FLAG.late]);
const LEVEL_FLAGS: ReadonlySet<number> = new Set([FLAG.inferred, FLAG.opening]);

export function timeProblem(tx: number, rx: number): string | undefined {
  if (!(Number.isSafeInteger(tx) && tx >= 0 && tx <= LAST_TIME)) return `exchange time ${tx}`;
  if (!(Number.isSafeInteger(rx) && Math.abs(rx - tx) <= MOST_LATE)) return `receive time ${rx}`;
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
  if (!isWord(market)) return `market number ${market}`;
  if (!(Number.isSafeInteger(shares) && shares >= 0)) return `size ${shares}`;
  if (flags !== 0 && !(kind === KIND.trade ? PRINT_FLAGS : LEVEL_FLAGS).has(flags)) return `flags ${flags}`;
  const tradable = Number.isInteger(price) && price > 0 && price < FULL_BPS;
  if (kind === KIND.level || kind === KIND.ahead) {
    const what = kind === KIND.level ? 'level' : 'size ahead';
    if (!tradable || (side !== SIDE.bid && side !== SIDE.ask)) return `${what} at ${price} on side ${side}`;
    return kind === KIND.ahead && flags !== 0 ? `flags ${flags}` : lotProblem(shares);
  }
  if (!isSide(side)) return `side ${side}`;
  if (kind === KIND.trade) {
    if (flags === FLAG.own && side === SIDE.unknown) return 'an own print of unknown side';
    return tradable && shares > 0 ? lotProblem(shares) : `trade of ${shares} at ${price} on side ${side}`;
  }
  if (!isWord(price)) return `price ${price}`;
  switch (kind) {
    case KIND.status:
      return STATUS_CODES[price] === undefined ? `status ${price}` : lotProblem(shares);
    case KIND.resolution:
      return price <= FULL_BPS || price === CANCELLED_PAYOUT ? lotProblem(shares) : `payout ${price}`;
    case KIND.clear:
      return lotProblem(shares);
    case KIND.placeDelay:
      return shares > LONGEST_DELAY ? `delay of ${shares} ms` : undefined;
    case KIND.gap:
      return price === 0 && shares === 0 ? undefined : `gap with price ${price} and size ${shares}`;
    default:
      return `kind ${kind}`;
  }
}

/** What is wrong with an `ahead` row whose next row is another one. */
export const NO_LEVEL = 'a size ahead without its level in the next row';

/**
 * The rules between rows: prints come before levels within a message, a size ahead directly before its level, and
 * nothing changes the end of a market.
 */
export class RowOrder {
  #hasLevels = false;
  /** Market, side and price of an `ahead` row whose level has to come next; undefined without one. */
  #ahead: string | undefined;
  readonly #resolved = new Set<number>();

  begin(): void {
    this.#hasLevels = false;
    this.#ahead = undefined;
  }

  /** What is wrong with a message that ends here; if anything. */
  endProblem(): string | undefined {
    return this.#ahead === undefined ? undefined : NO_LEVEL;
  }

  /** What is wrong with the next row of the message, which is valid by itself; if anything. */
  problem(market: number, kind: number, side: number, price: number): string | undefined {
    if (this.#ahead !== undefined) {
      if (kind !== KIND.level || this.#ahead !== `${market} ${side} ${price}`) return NO_LEVEL;
      this.#ahead = undefined;
    }
    if (kind === KIND.level) this.#hasLevels = true;
    else if (kind === KIND.ahead) this.#ahead = `${market} ${side} ${price}`;
    // A queue would move twice: by the level as if others had cancelled, then by the print.
    else if (kind === KIND.trade) return this.#hasLevels ? 'a print after a level of its message' : undefined;
    else if (kind === KIND.status || kind === KIND.resolution) return this.#resolvedProblem(market, kind);
    return undefined;
  }

  #resolvedProblem(market: number, kind: number): string | undefined {
    if (this.#resolved.has(market)) {
      const what = kind === KIND.status ? 'a status' : 'a second resolution';
      return `${what} of market ${market} after its resolution`;
    }
    if (kind === KIND.resolution) this.#resolved.add(market);
    return undefined;
  }
}

function lotProblem(shares: number): string | undefined {
  return shares % LOT === 0 ? undefined : `size ${shares} is no whole number of lots`;
}

function isSide(side: number): boolean {
  return side === SIDE.bid || side === SIDE.ask || side === SIDE.unknown;
}

/** Whether 16 bits hold it. */
function isWord(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 65_535;
}
