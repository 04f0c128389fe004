/** HOT: the marks of one market of the last moments, by exchange time: a fill is reported after the message that caused it. */

/** A fill that is reported later than this many changes of the mark gets the oldest one that is known. */
const MOST = 1_024;

export class RecentMarks {
  readonly #times = new Float64Array(MOST);
  readonly #marks = new Float64Array(MOST);
  #count = 0;

  /** The double mid in force; undefined before the first. */
  get last(): number | undefined {
    return this.#count === 0 ? undefined : this.#marks[(this.#count - 1) % MOST];
  }

  /** @param time exchange time, not before the one given last @param mark double mid */
  add(time: number, mark: number): void {
    const place = this.#count % MOST;
    this.#times[place] = time;
    this.#marks[place] = mark;
    this.#count += 1;
  }

  /** The mark in force strictly before an exchange time, or the oldest that is known; undefined before the first. */
  before(time: number): number | undefined {
    if (this.#count === 0) return undefined;
    const oldest = Math.max(0, this.#count - MOST);
    let number = this.#count - 1;
    while (number > oldest && (this.#times[number % MOST] ?? 0) >= time) number -= 1;
    return this.#marks[number % MOST];
  }
}
