/**
 * Market data as rows in columns, the common format for books and trades.
 *
 * HOT: every recorded event passes here (bench/replay.ts).
 *
 * Invariants: rows are in order of `tx`. The rows of a message are adjacent and share `tx` and `rx`; only the last row
 * has the flag `last`. Within a message, prints (trade rows) precede levels (docs/spec/models.md#time-and-look-ahead).
 */

/** The kind of a row, on which the meaning of `price` and `shares` depends. */
export const KIND = {
  /** Sets the recorded book to `shares` at `price` on `side`; 0 removes the level. */
  level: 0,
  /** A taker on `side` (BUY, SELL or unknown) traded `shares` at `price`, in YES terms. */
  trade: 1,
  /** Market status: `price` is an index into `STATUS_CODES`. */
  status: 2,
  /** Final outcome: `price` is the YES payout in bps, or `CANCELLED_PAYOUT`. */
  resolution: 3,
  /** Empties the book, because a full book follows in this message or a halt ended. Ends a gap. */
  clear: 4,
  /** Sets the venue's placing delay: `shares` is milliseconds. */
  placeDelay: 5,
  /** The recording lost this book: its levels are unknown until the next `clear` (docs/spec/models.md#gaps). */
  gap: 6,
  /** Size ahead of the order that the next level row removes or reduces (docs/spec/models.md#recorded-order-ids). */
  ahead: 7,
} as const;

/** Sides of rows: the side of the book for levels, the taker's side for trades (`bid` buys YES, `ask` sells YES). */
export const SIDE = { bid: 0, ask: 1, unknown: 2 } as const;

/** Bits of `flags`. */
export const FLAG = {
  /** The last row of its message. The crossing test and the handlers run after this row. */
  last: 1,
  /** A print that was inferred from book changes (docs/spec/models.md#thin-tapes). */
  inferred: 2,
  /** A print of the recording bot's fill, hidden from strategies (docs/spec/models.md#own-trades-of-a-recording). */
  own: 4,
  /** A print recorded after the message that set its level (docs/spec/models.md#late-prints). */
  late: 8,
  /** A row that repeats the state at the end of the recording's previous part. Never a print. */
  opening: 16,
} as const;

/** Codes of status rows. `HALTED` is OPEN with `acceptingOrders` false (docs/spec/venue.md#market-states). */
export const STATUS_CODES = [
  'OPEN',
  'HALTED',
  'PENDING_RESOLUTION',
  'RESOLVED',
  'RESOLUTION_FAILED',
  'PENDING_BLOCKCHAIN',
] as const;

/** `price` of a resolution row that cancels the market. */
export const CANCELLED_PAYOUT = 65_535;

/** The first `count` rows are valid. All columns have the same capacity. */
export interface Block {
  count: number;
  /** Exchange time, epoch ms. */
  readonly tx: Float64Array;
  /** Receive time, epoch ms; equal to `tx` if the source has no receive times (`TapeManifest.receiveTime`). */
  readonly rx: Float64Array;
  /** Index in the market list of the manifest or the merged feed. */
  readonly market: Uint16Array;
  readonly kind: Uint8Array;
  readonly side: Uint8Array;
  readonly price: Uint16Array;
  /** Micro-shares as float64 integers, because int32 ends at 2,147 shares. */
  readonly shares: Float64Array;
  readonly flags: Uint8Array;
}

export function makeBlock(capacity: number): Block {
  return {
    count: 0,
    tx: new Float64Array(capacity),
    rx: new Float64Array(capacity),
    market: new Uint16Array(capacity),
    kind: new Uint8Array(capacity),
    side: new Uint8Array(capacity),
    price: new Uint16Array(capacity),
    shares: new Float64Array(capacity),
    flags: new Uint8Array(capacity),
  };
}

/** Copies the rows from `first` to the end. */
export function copyBlock(block: Block, first = 0): Block {
  const copy = makeBlock(block.count - first);
  copyRows(block, first, block.count, copy, 0);
  copy.count = block.count - first;
  return copy;
}

/** A stream of rows in order of exchange time. */
export interface Feed {
  /** Overwrites the caller's block with the next whole messages. Returns the number of rows; 0 at the end. */
  fill(block: Block): number;
  close(): void;
}

/** HOT: a row of a block, or the message that begins at it. Valid only during a call, because cursors are reused. */
export class Cursor {
  block: Block;
  row = 0;

  constructor(block: Block) {
    this.block = block;
  }

  get tx(): number {
    return this.block.tx[this.row]!;
  }
  get rx(): number {
    return this.block.rx[this.row]!;
  }
  get market(): number {
    return this.block.market[this.row]!;
  }
  get kind(): number {
    return this.block.kind[this.row]!;
  }
  get side(): number {
    return this.block.side[this.row]!;
  }
  get price(): number {
    return this.block.price[this.row]!;
  }
  get shares(): number {
    return this.block.shares[this.row]!;
  }
}

/** Up to this many rows, a loop (6 ns a row) is faster than eight `set` calls with their views (220 ns). */
const LOOP_ROWS = 32;

/**
 * HOT: copies the rows `from` … `to - 1` to row `at` and on. `at` may be a lower row of the same block. Keeps `count`.
 * @param firstMarket added to each market number
 * @throws RangeError if the rows do not fit
 */
export function copyRows(source: Block, from: number, to: number, target: Block, at: number, firstMarket = 0): void {
  const rows = to - from;
  if (at + rows > target.tx.length)
    throw new RangeError(`Invariant: ${rows} rows do not fit at ${at} into a block of ${target.tx.length}`);
  if (rows > LOOP_ROWS) {
    target.tx.set(source.tx.subarray(from, to), at);
    target.rx.set(source.rx.subarray(from, to), at);
    target.market.set(source.market.subarray(from, to), at);
    target.kind.set(source.kind.subarray(from, to), at);
    target.side.set(source.side.subarray(from, to), at);
    target.price.set(source.price.subarray(from, to), at);
    target.shares.set(source.shares.subarray(from, to), at);
    target.flags.set(source.flags.subarray(from, to), at);
    if (firstMarket > 0) for (let row = at; row < at + rows; row += 1) target.market[row]! += firstMarket;
    return;
  }
  for (let row = 0; row < rows; row += 1) {
    target.tx[at + row] = source.tx[from + row]!;
    target.rx[at + row] = source.rx[from + row]!;
    target.market[at + row] = source.market[from + row]! + firstMarket;
    target.kind[at + row] = source.kind[from + row]!;
    target.side[at + row] = source.side[from + row]!;
    target.price[at + row] = source.price[from + row]!;
    target.shares[at + row] = source.shares[from + row]!;
    target.flags[at + row] = source.flags[from + row]!;
  }
}
