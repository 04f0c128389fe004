/** A simple reference book of a venue: creates snapshots and a delta for each change. */
import { bookChecksum, formatChecksum, Ladder } from '../../../../src/book/index.ts';
import type { WireBook } from '../../../../src/venues/service/market-data/book-frame-codec.ts';

/** Default market. */
const MARKET_ID = '00000000-0000-4000-8000-000000000001';

export interface Change {
  readonly side: 'bid' | 'ask';
  readonly price: number;
  /** Whole shares. */
  readonly shares: number;
}

export class ScriptedBook {
  seq = 10;
  readonly #ladder = new Ladder(10);
  /** `levelsText` the book by sequence number. */
  readonly history = new Map<number, string>();

  readonly #marketId: string;

  constructor(marketId: string = MARKET_ID) {
    this.#marketId = marketId;
    this.#record();
  }

  sharesAt(side: 'bid' | 'ask', price: number): number {
    return (side === 'bid' ? this.#ladder.bidAt(price) : this.#ladder.askAt(price)) / 1e6;
  }

  /** Changes levels in one step and returns the delta. @param seq sequence number of the change */
  change(changes: readonly Change[], seq: number = this.seq + 1): WireBook {
    const prevSeq = this.seq;
    this.seq = seq;
    for (const { side, price, shares } of changes) this.#ladder.set(side === 'bid' ? 0 : 1, price, shares * 1e6);
    this.#record();
    const levels = (side: 'bid' | 'ask') => changes.filter((each) => each.side === side).map(wireLevel);
    return { ...this.#head(), kind: 'DELTA', prevSeq: String(prevSeq), bids: levels('bid'), asks: levels('ask') };
  }

  snapshot(): WireBook {
    const levels = (side: 'bid' | 'ask') =>
      this.#ladder.depth(side, 50).map(({ price, shares }) => wireLevel({ price, shares: shares / 1e6 }));
    return { ...this.#head(), kind: 'SNAPSHOT', bids: levels('bid'), asks: levels('ask') };
  }

  idle(): WireBook {
    return { ...this.#head(), kind: 'DELTA', bids: [], asks: [] };
  }

  #head() {
    const seq = String(this.seq);
    const at = new Date(1_700_000_000_000 + this.seq).toISOString();
    const checksum = formatChecksum(bookChecksum(this.#ladder));
    return { marketId: this.#marketId, seq, prevSeq: seq, checksum, at };
  }

  #record(): void {
    this.history.set(this.seq, levelsText(this.#ladder));
  }
}

export function levelsText(ladder: Ladder): string {
  const side = (name: 'bid' | 'ask') =>
    ladder
      .depth(name, 1_000)
      .map(({ price, shares }) => `${price}:${shares / 1e6}`)
      .join(' ');
  return `${side('bid')} | ${side('ask')}`;
}

function wireLevel({ price, shares }: { readonly price: number; readonly shares: number }) {
  return { priceBps: price, shares, orderCount: shares === 0 ? 0 : 1 };
}
