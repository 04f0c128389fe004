/** A book as a client keeps it, by the words of the contract alone; nothing here is shared with the server. */
import { crc32 } from 'node:zlib';

import type { PriceLevel, Told } from './raw-client.ts';

export type BookEvent = Pick<Told, 'kind' | 'seq' | 'prevSeq' | 'bids' | 'asks' | 'checksum'>;

interface Level {
  readonly shares: number;
  readonly count: number;
}

/** Levels as text, best first: `price:shares:count`. */
export interface Picture {
  readonly bids: readonly string[];
  readonly asks: readonly string[];
}

export class FoldedBook {
  seq = -1;
  readonly #bids = new Map<number, Level>();
  readonly #asks = new Map<number, Level>();

  /** @returns what became of an event. @throws Error where there is a gap, or the checksum is another one */
  take(event: BookEvent): 'snapshot' | 'applied' | 'alive' | 'old' {
    const [seq, prevSeq] = [Number(event.seq), Number(event.prevSeq)];
    if (event.kind === 'SNAPSHOT') {
      this.#bids.clear();
      this.#asks.clear();
    } else if (seq === this.seq && prevSeq === seq) {
      if (event.bids.length + event.asks.length > 0) throw new Error('an idle frame with levels');
      return 'alive';
    } else if (seq <= this.seq) {
      return 'old';
    } else if (prevSeq !== this.seq) {
      throw new Error(`gap: at ${this.seq}, told ${prevSeq} to ${seq}`);
    }
    this.seq = seq;
    write(this.#bids, event.bids);
    write(this.#asks, event.asks);
    const checksum = this.checksum();
    if (checksum !== event.checksum) throw new Error(`checksum ${event.checksum}, here ${checksum}`);
    return event.kind === 'SNAPSHOT' ? 'snapshot' : 'applied';
  }

  picture(): Picture {
    return { bids: lines(this.#bids, -1), asks: lines(this.#asks, 1) };
  }

  checksum(): string {
    const side = (lines: readonly string[]) =>
      lines
        .slice(0, 10)
        .map((line) => line.split(':').slice(0, 2).join(':'))
        .join();
    const { bids, asks } = this.picture();
    return `0x${crc32(`${side(bids)}|${side(asks)}`)
      .toString(16)
      .padStart(8, '0')}`;
  }
}

function write(side: Map<number, Level>, levels: readonly PriceLevel[]): void {
  for (const { priceBps, shares, orderCount } of levels) {
    if (shares === 0 && orderCount === 0) {
      if (!side.delete(priceBps)) throw new Error(`a level leaves that was not there: ${priceBps}`);
    } else {
      side.set(priceBps, { shares, count: orderCount });
    }
  }
}

function lines(side: ReadonlyMap<number, Level>, order: number): readonly string[] {
  return [...side]
    .toSorted(([a], [b]) => order * (a - b))
    .map(([price, { shares, count }]) => `${price}:${Math.round(shares * 1e6)}:${count}`);
}
