/** An own or recorded maker fill, from the maker's side: exchange time in epoch ms, YES price in bps. */
export interface MakerFill {
  readonly time: number;
  /** +1 bought YES exposure, -1 sold it. */
  readonly sign: number;
  readonly price: number;
  readonly lots: number;
}

const FIELDS = 4;

/** HOT: a ring buffer of numbered fills (bench/peers.ts). As objects, fills would add a tenth to a replay (GC). */
export class FillRing {
  nextNumber = 0;
  #fields = new Float64Array(64 * FIELDS);

  /** @param oldest number of the oldest fill that is still needed */
  push({ time, sign, price, lots }: MakerFill, oldest: number): void {
    if ((this.nextNumber - oldest) * FIELDS === this.#fields.length) this.#grow(oldest);
    const index = this.#fieldIndex(this.nextNumber);
    this.#fields[index] = time;
    this.#fields[index + 1] = sign;
    this.#fields[index + 2] = price;
    this.#fields[index + 3] = lots;
    this.nextNumber += 1;
  }

  timeAt(number: number): number {
    return this.#fields[this.#fieldIndex(number)]!;
  }

  fillAt(number: number): MakerFill {
    const index = this.#fieldIndex(number);
    return {
      time: this.#fields[index]!,
      sign: this.#fields[index + 1]!,
      price: this.#fields[index + 2]!,
      lots: this.#fields[index + 3]!,
    };
  }

  /** Returns the index of a fill's first field. The length is a power of two, so that a mask wraps the index. */
  #fieldIndex(number: number): number {
    return (number * FIELDS) & (this.#fields.length - 1);
  }

  #grow(oldest: number): void {
    const { nextNumber: end } = this;
    const fills = Array.from({ length: end - oldest }, (_, index) => this.fillAt(oldest + index));
    this.#fields = new Float64Array(this.#fields.length * 2);
    this.nextNumber = oldest;
    for (const fill of fills) this.push(fill, oldest);
  }
}
