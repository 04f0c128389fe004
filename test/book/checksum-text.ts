import { CHECKSUM_LEVELS } from '../../src/book/checksum.ts';
import type { BookView } from '../../src/book/index.ts';
import type { PriceBps } from '../../src/domain/index.ts';

/** Returns the input of the checksum: `bids|asks`, each `priceBps:microShares` joined by `,`, best first. */
export function checksumText(book: BookView): string {
  return `${bidText(book)}|${askText(book)}`;
}

function bidText(book: BookView): string {
  let text = '';
  let price = book.bestBid();
  for (let level = 0; level < CHECKSUM_LEVELS && price !== undefined; level += 1) {
    text += levelText(level, price, book.bidAt(price));
    price = book.nextBid(price);
  }
  return text;
}

function askText(book: BookView): string {
  let text = '';
  let price = book.bestAsk();
  for (let level = 0; level < CHECKSUM_LEVELS && price !== undefined; level += 1) {
    text += levelText(level, price, book.askAt(price));
    price = book.nextAsk(price);
  }
  return text;
}

function levelText(level: number, price: PriceBps, shares: number): string {
  return `${level === 0 ? '' : ','}${price}:${shares}`;
}
