import type { FillPoint } from './figures.ts';

/** Fills that a chart can show before it is a smear. */
const MOST = 2_000;

/** Keeps all fills up to a cap; beyond it every second, every fourth …, evenly over the whole run. */
export class FillSample {
  #kept: FillPoint[] = [];
  #every = 1;
  #seen = 0;

  /** 1 when every fill is kept, k when every k-th is. */
  get every(): number {
    return this.#every;
  }

  get fills(): readonly FillPoint[] {
    return this.#kept;
  }

  add(fill: FillPoint): void {
    this.#seen += 1;
    if ((this.#seen - 1) % this.#every !== 0) return;
    this.#kept.push(fill);
    if (this.#kept.length <= MOST) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }
}
