/**
 * Batches of rows for the store: an array of numbers and a list of texts, cheap to copy to another thread. The array
 * contains each row's code and numbers; the list contains the texts.
 */
import { STATISTIC_COLUMNS } from './market-statistics.ts';

/** The kinds of rows, with the columns of their numbers and texts. -1 in an `entry` means none. */
// biome-ignore format: columns
export const ROW = {
  order: {
    code: 0,
    numbers: [
      'no', 'account', 'market', 'kind', 'price', 'shares', 'filled', 'amount', 'fee', 'force', 'post_only', 'expiration',
      'status', 'reason', 'group_no', 'seq', 'created_at', 'updated_at',
    ],
    texts: ['id', 'client_id'],
  },
  progress: {
    code: 1,
    numbers: ['shares', 'filled', 'amount', 'fee', 'status', 'reason', 'seq', 'updated_at', 'no'],
    texts: [],
  },
  fill: {
    code: 2,
    numbers: ['id', 'order_no', 'account', 'market', 'kind', 'price', 'shares', 'fee', 'match', 'at'],
    texts: [],
  },
  entry: { code: 3, numbers: ['account', 'id', 'kind', 'amount', 'market', 'order_no', 'fill', 'at'], texts: [] },
  event: {
    code: 4,
    numbers: [
      'id', 'previous', 'account', 'market', 'order_no', 'kind', 'shares', 'filled', 'amount', 'fee', 'status', 'reason',
      'at',
    ],
    texts: [],
  },
  point: { code: 5, numbers: ['market', 'seq', 'at', 'yes', 'no', 'bid', 'ask', 'last', 'volume'], texts: [] },
  bucket: { code: 6, numbers: ['market', 'length', 'at', 'yes', 'no', 'bid', 'ask', 'last', 'volume'], texts: [] },
  holding: { code: 7, numbers: ['account', 'market', 'yes_seq', 'yes_at', 'no_seq', 'no_at'], texts: [] },
  account: {
    code: 8,
    numbers: ['account', 'unlimited', 'opened_at', 'orders', 'fills', 'entries', 'last_event'],
    texts: ['address'],
  },
  market: {
    code: 9,
    numbers: ['market', 'status', 'created_at', 'updated_at', 'volume', ...STATISTIC_COLUMNS],
    texts: ['id', 'slug', 'question'],
  },
  reversal: { code: 10, numbers: ['trade', 'seq', 'at'], texts: [] },
} as const;

export type RowKind = keyof typeof ROW;

export type RowText = string | null;

export interface RowBatch {
  /** Number of the last event in the batch. */
  readonly seq: number;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly texts: readonly RowText[];
}

export interface RowSource {
  /** Returns the rows of the commands applied since the last call. */
  drainRows(): RowBatch;
}

export class RowWriter {
  #numbers = new Float64Array(1024);
  #at = 0;
  #texts: RowText[] = [];

  /** @param numbers one number for each column of `ROW` @param texts one text for each column of `ROW` */
  add(kind: RowKind, numbers: readonly number[], texts: readonly RowText[] = []): void {
    const layout = ROW[kind];
    if (numbers.length !== layout.numbers.length || texts.length !== layout.texts.length) {
      throw new RangeError(`Invariant: a row "${kind}" of ${numbers.length} numbers and ${texts.length} texts`);
    }
    const end = this.#at + 1 + numbers.length;
    if (end > this.#numbers.length) this.#grow(end);
    const target = this.#numbers;
    let at = this.#at;
    target[at] = layout.code;
    for (const value of numbers) {
      at += 1;
      target[at] = value;
    }
    this.#at = end;
    for (const text of texts) this.#texts.push(text);
  }

  /** Returns a copy of all rows so far and clears the batch. */
  drain(seq: number): RowBatch {
    const batch = { seq, numbers: this.#numbers.slice(0, this.#at), texts: this.#texts };
    this.#at = 0;
    this.#texts = [];
    return batch;
  }

  #grow(minLength: number): void {
    const larger = new Float64Array(Math.max(minLength, this.#numbers.length * 2));
    larger.set(this.#numbers.subarray(0, this.#at));
    this.#numbers = larger;
  }
}

const ROW_KINDS = Object.keys(ROW).filter((name): name is RowKind => name in ROW);

/** Iterates over the rows of a batch in order: `for (const row = new RowCursor(batch); row.next(); )`. */
export class RowCursor {
  kind: RowKind = 'order';
  /** Offset of the row's numbers. */
  at = 0;
  /** Offset of the row's texts. */
  textAt = 0;
  readonly #numbers: Float64Array;
  #nextAt = 0;
  #nextTextAt = 0;

  constructor({ numbers }: RowBatch) {
    this.#numbers = numbers;
  }

  /** Moves to the next row. @returns false at the end of the batch @throws RangeError at an invalid row */
  next(): boolean {
    if (this.#nextAt >= this.#numbers.length) return false;
    const code = this.#numbers[this.#nextAt] ?? -1;
    const kind = ROW_KINDS[code];
    if (kind === undefined) throw new RangeError(`Invariant: no row at ${this.#nextAt}, its code is ${code}`);
    this.kind = kind;
    this.at = this.#nextAt + 1;
    this.textAt = this.#nextTextAt;
    this.#nextAt = this.at + ROW[kind].numbers.length;
    this.#nextTextAt += ROW[kind].texts.length;
    return true;
  }
}
