import { z } from 'zod';
import { FULL_BPS } from '../../domain/index.ts';

/** Prices that venues offer when nothing else is stated: whole cents. */
const CENT_BPS = 100;

/** Steps as JSON holds them. */
export const SAVED_STEPS = z.object({ stated: z.number().optional(), divisor: z.number() });

/** The steps of a market's prices: what was stated, refined by the prices that came. */
export class PriceSteps {
  #stated: number | undefined;
  #divisor = FULL_BPS;

  /** A tick that a message or the metadata states, bps; the finest one counts. */
  state(tickBps: number): void {
    this.#stated = Math.min(tickBps, this.#stated ?? tickBps);
  }

  /** @returns false when the price does not lie on the stated tick, for the first of its kind */
  see(priceBps: number): boolean {
    if (priceBps % this.#divisor === 0) return true;
    this.#divisor = commonDivisor(this.#divisor, priceBps);
    return this.#stated === undefined || this.#divisor % this.#stated === 0;
  }

  /** The tick of the tape: the stated one, or whole cents; finer where prices are. A divisor of 10000. */
  get tickBps(): number {
    return commonDivisor(this.#stated ?? CENT_BPS, this.#divisor);
  }

  save(): z.output<typeof SAVED_STEPS> {
    return { stated: this.#stated, divisor: this.#divisor };
  }

  restore({ stated, divisor }: z.output<typeof SAVED_STEPS>): void {
    this.#stated = stated;
    this.#divisor = divisor;
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
