/** The fall of equity from its highest so far, micro-USD. */
export class Drawdown {
  #peak: number;
  #worst = 0;

  constructor(equity: number) {
    this.#peak = equity;
  }

  /** The highest equity so far. */
  get peak(): number {
    return this.#peak;
  }

  /** Peak less equity at its worst. */
  get worst(): number {
    return this.#worst;
  }

  /** Equity is this much now. */
  see(equity: number): void {
    if (equity > this.#peak) this.#peak = equity;
    else if (this.#peak - equity > this.#worst) this.#worst = this.#peak - equity;
  }
}
