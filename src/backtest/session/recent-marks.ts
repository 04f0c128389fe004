/** HOT: recent marks of one market by exchange time, for fills that are reported after later marks. */

/** A fill reported after more changes of the mark gets the oldest mark kept. */
const MAX_MARKS = 1_024;

export class RecentMarks {
  readonly #times = new Float64Array(MAX_MARKS);
  readonly #marks = new Float64Array(MAX_MARKS);
  #count = 0;

  /** The newest double mid; undefined before the first. */
  get last(): number | undefined {
    return this.#count === 0 ? undefined : this.#marks[(this.#count - 1) % MAX_MARKS];
  }

  /** @param time exchange time, not before the previous one @param mark double mid */
  add(time: number, mark: number): void {
    const index = this.#count % MAX_MARKS;
    this.#times[index] = time;
    this.#marks[index] = mark;
    this.#count += 1;
  }

  /** Returns the mark strictly before an exchange time, or the oldest mark kept; undefined before the first. */
  before(time: number): number | undefined {
    if (this.#count === 0) return undefined;
    const oldest = Math.max(0, this.#count - MAX_MARKS);
    let number = this.#count - 1;
    while (number > oldest && (this.#times[number % MAX_MARKS] ?? 0) >= time) number -= 1;
    return this.#marks[number % MAX_MARKS];
  }
}
