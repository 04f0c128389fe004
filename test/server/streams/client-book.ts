/** A client's order book, built from the API alone. It shares no code with the server. */
import { crc32 } from 'node:zlib';
import type { PriceLevel, StreamEvent } from './raw-client.ts';

export type BookEvent = Pick<StreamEvent, 'kind' | 'seq' | 'prevSeq' | 'bids' | 'asks' | 'checksum'>;

interface Level {
  readonly shares: number;
  readonly count: number;
}

/** Levels as text, best first: `price:shares:count`. */
export interface BookLevels {
  readonly bids: readonly string[];
  readonly asks: readonly string[];
}

export class ClientBook {
  seq = -1;
  readonly #bids = new Map<number, Level>();
  readonly #asks = new Map<number, Level>();

  /** Applies an event. @returns its effect @throws Error on a gap or a wrong checksum */
  apply(event: BookEvent): 'snapshot' | 'applied' | 'alive' | 'old' {
    const [seq, prevSeq] = [Number(event.seq), Number(event.prevSeq)];
    if (event.kind === 'SNAPSHOT') {
      this.#bids.clear();
      this.#asks.clear();
    } else if (seq === this.seq && prevSeq === seq) {
      if (event.bids.length + event.asks.length > 0) throw new Error('an event without a change has levels');
      return 'alive';
    } else if (seq <= this.seq) {
      return 'old';
    } else if (prevSeq !== this.seq) {
      throw new Error(`gap: the book is at ${this.seq}, the event goes from ${prevSeq} to ${seq}`);
    }
    this.seq = seq;
    applyLevels(this.#bids, event.bids);
    applyLevels(this.#asks, event.asks);
    const checksum = this.checksum();
    if (checksum !== event.checksum) throw new Error(`checksum is ${checksum}, the event has ${event.checksum}`);
    return event.kind === 'SNAPSHOT' ? 'snapshot' : 'applied';
  }

  levels(): BookLevels {
    return { bids: lines(this.#bids, -1), asks: lines(this.#asks, 1) };
  }

  checksum(): string {
    const side = (lines: readonly string[]) =>
      lines
        .slice(0, 10)
        .map((line) => line.split(':').slice(0, 2).join(':'))
        .join();
    const { bids, asks } = this.levels();
    return `0x${crc32(`${side(bids)}|${side(asks)}`)
      .toString(16)
      .padStart(8, '0')}`;
  }
}

function applyLevels(side: Map<number, Level>, levels: readonly PriceLevel[]): void {
  for (const { priceBps, shares, orderCount } of levels) {
    if (shares === 0 && orderCount === 0) {
      if (!side.delete(priceBps)) throw new Error(`an event removes a missing level: ${priceBps}`);
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
