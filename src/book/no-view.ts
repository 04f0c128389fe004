import { column, complement, type DoubleMid, FULL_BPS, type MicroShares, type PriceBps } from '../domain/index.ts';
import type { BookLevel, BookSide, BookView } from './view.ts';

/** Returns a live view in NO terms: sides swapped, every price 10000 - p (docs/spec/venue.md#the-book). */
export function seenAsNo(book: BookView): BookView {
  return new NoView(book);
}

class NoView implements BookView {
  readonly #yes: BookView;

  constructor(yes: BookView) {
    this.#yes = yes;
  }

  bestBid(): PriceBps | undefined {
    return complementOf(this.#yes.bestAsk());
  }

  bestAsk(): PriceBps | undefined {
    return complementOf(this.#yes.bestBid());
  }

  bidAt(price: number): MicroShares {
    return this.#yes.askAt(FULL_BPS - price);
  }

  askAt(price: number): MicroShares {
    return this.#yes.bidAt(FULL_BPS - price);
  }

  nextBid(price: number): PriceBps | undefined {
    return complementOf(this.#yes.nextAsk(FULL_BPS - price));
  }

  nextAsk(price: number): PriceBps | undefined {
    return complementOf(this.#yes.nextBid(FULL_BPS - price));
  }

  mid(): number | undefined {
    const mid = this.#yes.mid();
    return mid === undefined ? undefined : FULL_BPS - mid;
  }

  spread(): number | undefined {
    return this.#yes.spread();
  }

  doubleMid(): DoubleMid | undefined {
    const mid = this.#yes.doubleMid();
    return mid === undefined ? undefined : column.mid(2 * FULL_BPS - mid);
  }

  microprice(): number | undefined {
    const price = this.#yes.microprice();
    return price === undefined ? undefined : FULL_BPS - price;
  }

  crossed(): boolean {
    return this.#yes.crossed();
  }

  depth(side: BookSide, count: number): readonly BookLevel[] {
    const levels = this.#yes.depth(side === 'bid' ? 'ask' : 'bid', count);
    return levels.map(({ price, shares }) => ({ price: complement(price), shares }));
  }
}

function complementOf(price: PriceBps | undefined): PriceBps | undefined {
  return price === undefined ? undefined : complement(price);
}
