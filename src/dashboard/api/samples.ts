/**
 * Time series in bounded memory, with a point every second for recent times and longer steps for older ones.
 * Invariant: all pieces of a tier except the last piece are full, so that the index of a row gives its piece.
 */

/** Tiers with longer steps: 6 hours at 5 s, a day at 20 s, 8 days at 2 minutes. */
const COARSE = [
  { stepMs: 5_000, minRows: 4_320 },
  { stepMs: 20_000, minRows: 4_320 },
  { stepMs: 120_000, minRows: 5_760 },
] as const;
const FINE_MS = 1_000;
const HOUR_S = 3_600;
const PIECE_ROWS = 256;

/** One point of all columns; a missing value is NaN. */
export type Sample = readonly number[];

export interface Points {
  readonly times: readonly number[];
  readonly values: readonly Sample[];
}

export class Samples {
  readonly #fine: Tier;
  readonly #tiers: readonly Tier[];

  /** @param columns number of values in a sample */
  constructor(columns: number) {
    this.#fine = new Tier(columns, FINE_MS, HOUR_S);
    this.#tiers = [this.#fine, ...COARSE.map(({ stepMs, minRows }) => new Tier(columns, stepMs, minRows))];
  }

  /** Sets the number of seconds to keep, at least an hour. */
  keepSeconds(seconds: number): void {
    this.#fine.minRows = Math.max(HOUR_S, seconds);
  }

  /** Epoch ms of the oldest kept sample; undefined before the first sample. */
  get oldest(): number | undefined {
    const times = this.#tiers.flatMap((tier) => (tier.count === 0 ? [] : [tier.time(0)]));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Adds a sample. Each tier keeps the last sample of a step. @param time epoch ms; must not decrease */
  add(time: number, sample: Sample): void {
    for (const tier of this.#tiers) tier.add(time, sample);
  }

  /**
   * Returns at most `points` samples of a range, from the finest tier that reaches back to the range's start. A range
   * with more samples is split into intervals of equal length. Only the last sample of the range and the lowest and
   * highest sample of each interval, by the first column, are returned. Intervals start at multiples of their length,
   * so that the points stay the same while the range moves.
   */
  between(from: number, until: number, points: number): Points {
    const tier = this.#tiers.find((each) => !each.hasDropped || each.time(0) <= from) ?? this.#tiers.at(-1);
    if (tier === undefined) return { times: [], values: [] };
    const [first, end] = [tier.firstFrom(from), tier.firstFrom(until + 1)];
    const rows = end - first <= points ? range(first, end) : selectRows(tier, first, end, points);
    return { times: rows.map((row) => tier.time(row)), values: rows.map((row) => tier.sample(row)) };
  }
}

function range(first: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}

function selectRows(tier: Tier, first: number, end: number, points: number): readonly number[] {
  const last = end - 1;
  // An interval gives two rows at most. Reserve one row for `last`, and one interval because both ends may be partial.
  const intervals = Math.floor((points - 1) / 2) - 1;
  if (intervals < 1) return [last];
  const span = tier.time(last) - tier.time(first);
  const length = Math.ceil(span / intervals / tier.stepMs) * tier.stepMs;
  const rows: number[] = [];
  for (let row = first; row < last; ) {
    const next = Math.min(last, tier.firstFrom((Math.floor(tier.time(row) / length) + 1) * length));
    rows.push(...extremes(tier, row, next));
    row = next;
  }
  return [...rows, last];
}

/** Returns the rows with the lowest and highest first value, in time order; the last row if all values are NaN. */
function extremes(tier: Tier, first: number, end: number): readonly number[] {
  const [low, high] = tier.extremes(first, end);
  if (low < 0) return [end - 1];
  return low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
}

interface Piece {
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Indexes of the lowest and highest first value, cached for a full piece. */
  extremes?: readonly [low: number, high: number];
}

/** Rows with the same step, oldest first. */
class Tier {
  readonly stepMs: number;
  /** Minimum number of rows to keep. The tier keeps up to one piece more. */
  minRows: number;
  readonly #columns: number;
  readonly #pieces: Piece[] = [];
  count = 0;
  /** Whether rows before the oldest row were dropped. */
  hasDropped = false;

  constructor(columns: number, stepMs: number, minRows: number) {
    this.#columns = columns;
    this.stepMs = stepMs;
    this.minRows = minRows;
  }

  /** Returns the start of a row's step, epoch ms. */
  time(row: number): number {
    return this.#pieces[Math.floor(row / PIECE_ROWS)]?.times[row % PIECE_ROWS] ?? 0;
  }

  firstValue(row: number): number {
    return this.#pieces[Math.floor(row / PIECE_ROWS)]?.values[(row % PIECE_ROWS) * this.#columns] ?? Number.NaN;
  }

  /** Returns the rows of the lowest and highest first value; -1 if all are NaN. Caches the rows of full pieces. */
  extremes(first: number, end: number): readonly [low: number, high: number] {
    let [lowRow, highRow] = [-1, -1];
    let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const compare = (row: number): void => {
      const value = this.firstValue(row);
      if (value < lowest) [lowRow, lowest] = [row, value];
      if (value > highest) [highRow, highest] = [row, value];
    };
    for (let row = first; row < end; ) {
      if (row % PIECE_ROWS === 0 && row + PIECE_ROWS <= end && end - first > PIECE_ROWS) {
        for (const each of this.#extremesOfPiece(row)) compare(each);
        row += PIECE_ROWS;
      } else {
        compare(row);
        row += 1;
      }
    }
    return [lowRow, highRow];
  }

  /** @param begin first row of the piece */
  #extremesOfPiece(begin: number): readonly [low: number, high: number] {
    const piece = this.#pieces[begin / PIECE_ROWS];
    const isFull = begin + PIECE_ROWS < this.count;
    const [low, high] = piece?.extremes ?? this.extremes(begin, begin + PIECE_ROWS).map((row) => row - begin);
    const found = [low ?? 0, high ?? 0] as const;
    if (isFull && piece !== undefined) piece.extremes = found;
    return [begin + found[0], begin + found[1]];
  }

  sample(row: number): Sample {
    const begin = (row % PIECE_ROWS) * this.#columns;
    return [...(this.#pieces[Math.floor(row / PIECE_ROWS)]?.values.subarray(begin, begin + this.#columns) ?? [])];
  }

  /** Returns the first row at or after a time, or the number of rows if all rows are earlier. */
  firstFrom(time: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(time: number, sample: Sample): void {
    const step = Math.floor(time / this.stepMs) * this.stepMs;
    const last = this.count === 0 ? Number.NEGATIVE_INFINITY : this.time(this.count - 1);
    if (step < last) return;
    if (step > last) this.count += 1;
    const row = this.count - 1;
    const index = Math.floor(row / PIECE_ROWS);
    const piece = this.#pieces[index] ?? {
      times: new Float64Array(PIECE_ROWS),
      values: new Float64Array(PIECE_ROWS * this.#columns),
    };
    this.#pieces[index] = piece;
    piece.times[row % PIECE_ROWS] = step;
    piece.values.set(sample, (row % PIECE_ROWS) * this.#columns);
    while (this.count - PIECE_ROWS >= this.minRows) {
      this.#pieces.shift();
      this.count -= PIECE_ROWS;
      this.hasDropped = true;
    }
  }
}
