import { z } from 'zod';
import { FULL_BPS } from '../../domain/index.ts';

const CENT_BPS = 100;

export const SAVED_TICKS = z.object({ stated: z.number().optional(), divisor: z.number() });

/** Infers a market's tick from stated ticks and observed prices. */
export class TickInference {
  #stated: number | undefined;
  /** Greatest common divisor of 10000 and all prices. */
  #divisor = FULL_BPS;

  /** Adds a tick that a message or the metadata states. The finest stated tick is used. */
  addTick(tickBps: number): void {
    this.#stated = Math.min(tickBps, this.#stated ?? tickBps);
  }

  /** Adds a price. Returns false if the price is off the stated tick and lowers the divisor of all prices. */
  addPrice(priceBps: number): boolean {
    if (priceBps % this.#divisor === 0) return true;
    this.#divisor = commonDivisor(this.#divisor, priceBps);
    return this.#stated === undefined || priceBps % this.#stated === 0;
  }

  /** Tick of the tape: greatest common divisor of 10000, all prices, and the stated tick (default: one cent). */
  get tickBps(): number {
    return commonDivisor(this.#stated ?? CENT_BPS, this.#divisor);
  }

  save(): z.output<typeof SAVED_TICKS> {
    return { stated: this.#stated, divisor: this.#divisor };
  }

  restore({ stated, divisor }: z.output<typeof SAVED_TICKS>): void {
    this.#stated = stated;
    this.#divisor = divisor;
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
