/**
 * Rows for the store: columns of numbers and a list of texts, so that one copy passes thousands of rows to another
 * thread. A row is its code, then its numbers; its texts stand in the list in the same order.
 */

/** The kinds of rows, with their counts of numbers and texts. */
export const ROW = {
  /** order, account, market, kind, price, shares, filled, amount, fee, force, postOnly, expiration, status, reason, group, seq, created, updated; id, client's id */
  order: { code: 0, numbers: 18, texts: 2 },
  /** shares, filled, amount, fee, status, reason, seq, updated, order */
  progress: { code: 1, numbers: 9, texts: 0 },
  /** id, order, account, market, kind, price, shares, fee, match, at */
  fill: { code: 2, numbers: 10, texts: 0 },
  /** account, id, kind, amount, market, order, fill (-1 for none), at */
  entry: { code: 3, numbers: 8, texts: 0 },
  /** id, previous id, account, market, order, kind, shares, filled, amount, fee, status, reason, at */
  event: { code: 4, numbers: 13, texts: 0 },
  /** market, seq, at, yes, no, bid, ask, last, volume */
  point: { code: 5, numbers: 9, texts: 0 },
  /** market, length, begin, yes, no, bid, ask, last, volume */
  bucket: { code: 6, numbers: 9, texts: 0 },
  /** account, market, yesSeq, yesAt, noSeq, noAt */
  holding: { code: 7, numbers: 6, texts: 0 },
  /** account, unlimited, opened, orders, fills, entries, lastEvent; address */
  account: { code: 8, numbers: 7, texts: 1 },
  /** market, status, created, updated, volume, trades; id, slug, question */
  market: { code: 9, numbers: 6, texts: 3 },
  /** trade, seq, at */
  reversal: { code: 10, numbers: 3, texts: 0 },
} as const;

/** A kind of row. */
export type RowKind = keyof typeof ROW;

/** A text of a row; null for none. */
export type RowText = string | null;

/** Rows. */
export interface RowBatch {
  /** Number of the last event that is in it. */
  readonly seq: number;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly texts: readonly RowText[];
}

/** Returns the rows since the last call. */
export interface RowSource {
  /** Exactly those of the commands applied since the last call. */
  takeRows(): RowBatch;
}

/** Collects rows. */
export class RowWriter {
  #numbers = new Float64Array(1024);
  #at = 0;
  #texts: RowText[] = [];

  /** @param numbers as many as the kind has, likewise the texts */
  add(kind: RowKind, numbers: readonly number[], texts: readonly RowText[] = []): void {
    const of = ROW[kind];
    if (numbers.length !== of.numbers || texts.length !== of.texts) {
      throw new RangeError(`Invariant: a row "${kind}" of ${numbers.length} numbers and ${texts.length} texts`);
    }
    const end = this.#at + 1 + numbers.length;
    if (end > this.#numbers.length) this.#grow(end);
    const columns = this.#numbers;
    let at = this.#at;
    columns[at] = of.code;
    for (const value of numbers) {
      at += 1;
      columns[at] = value;
    }
    this.#at = end;
    for (const text of texts) this.#texts.push(text);
  }

  /** Returns a copy of all rows so far and clears the batch. */
  take(seq: number): RowBatch {
    const batch = { seq, numbers: this.#numbers.slice(0, this.#at), texts: this.#texts };
    this.#at = 0;
    this.#texts = [];
    return batch;
  }

  #grow(least: number): void {
    const larger = new Float64Array(Math.max(least, this.#numbers.length * 2));
    larger.set(this.#numbers.subarray(0, this.#at));
    this.#numbers = larger;
  }
}

const KINDS: readonly RowKind[] = [
  'order',
  'progress',
  'fill',
  'entry',
  'event',
  'point',
  'bucket',
  'holding',
  'account',
  'market',
  'reversal',
];

/** Iterates over the rows of a batch, in order: `for (const row = new RowCursor(batch); row.next(); )`. */
export class RowCursor {
  kind: RowKind = 'order';
  /** Offset of its numbers. */
  at = 0;
  /** Offset of its texts. */
  textAt = 0;
  readonly #numbers: Float64Array;
  /** Offset of the next row. */
  #end = 0;
  #textEnd = 0;

  constructor({ numbers }: RowBatch) {
    this.#numbers = numbers;
  }

  /** Goes to the next row. @returns false when there is none @throws RangeError at an invalid row */
  next(): boolean {
    if (this.#end >= this.#numbers.length) return false;
    const code = this.#numbers[this.#end] ?? -1;
    const kind = KINDS[code];
    if (kind === undefined) throw new RangeError(`Invariant: no row at ${this.#end}, its code is ${code}`);
    this.kind = kind;
    this.at = this.#end + 1;
    this.textAt = this.#textEnd;
    this.#end = this.at + ROW[kind].numbers;
    this.#textEnd += ROW[kind].texts;
    return true;
  }
}
