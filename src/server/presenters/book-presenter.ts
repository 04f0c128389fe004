/** Order books as they are shown: levels of either side, seen as YES or as NO, and the checksum of what is shown. */
import { CHECKSUM_LEVELS, crc32, formatChecksum } from '../../book/index.ts';
import { column, type EpochMs, FULL_BPS, type Outcome } from '../../domain/index.ts';
import type { ExchangeView, MarketRecord, VisibleBook } from '../../exchange/index.ts';
import { sharesFloat } from '../../protocol/index.ts';
import { bookOf, presentTopOfBook } from './market-presenter.ts';
import type { Model } from './models.ts';

/** A level in the terms of one outcome. */
interface Level {
  /** bps */
  readonly price: number;
  /** Micro-shares; 0 where the level is gone. */
  readonly shares: number;
  readonly orders: number;
}

/** Levels in the terms of one outcome, best first. */
interface Levels {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/**
 * The best `depth` levels a side. Seen as NO, a book has its sides swapped and every price is 10000 - p
 * (docs/spec/venue.md#the-book).
 */
function levelsOf(book: VisibleBook, outcome: Outcome, depth: number): Levels {
  const level = (yesPrice: number): Level => ({
    price: outcome === 'YES' ? yesPrice : FULL_BPS - yesPrice,
    shares: book.sharesAt(yesPrice),
    orders: book.orderCountAt(yesPrice),
  });
  const bids: Level[] = [];
  const asks: Level[] = [];
  for (let at = book.bestBid; at > 0 && bids.length < depth; at = book.priceBelow(at)) bids.push(level(at));
  for (let at = book.bestAsk; at < FULL_BPS && asks.length < depth; at = book.priceAbove(at)) asks.push(level(at));
  return outcome === 'YES' ? { bids, asks } : { bids: asks, asks: bids };
}

/**
 * CRC-32 of the ten best levels a side, fewer where fewer are shown (docs/spec/venue.md#book-checksum), as 0x and 8 hex
 * digits.
 */
function checksumOf({ bids, asks }: Levels): string {
  const text = (levels: readonly Level[]): string =>
    levels
      .slice(0, CHECKSUM_LEVELS)
      .map(({ price, shares }) => `${price}:${shares}`)
      .join(',');
  return formatChecksum(crc32(`${text(bids)}|${text(asks)}`));
}

function presentLevel({ price, shares, orders }: Level): Model<'PriceLevel'> {
  return { priceBps: price, shares: sharesFloat(column.shares(shares)), orderCount: orders };
}

/** A market's book as of now, every price in the terms of `outcome`. */
export function presentBook(
  record: Readonly<MarketRecord>,
  view: ExchangeView,
  { outcome, depth, asOf }: { readonly outcome: Outcome; readonly depth: number; readonly asOf: EpochMs },
): Model<'OrderBook'> {
  const book = bookOf(record, view);
  const levels = levelsOf(book, outcome, depth);
  const touch = presentTopOfBook(book.bestBid, book.bestAsk, record.lastTrade);
  const { bestBidBps, bestAskBps, midpointBps, lastTradePriceBps } = touch;
  const sides = outcome === 'YES' ? [bestBidBps, bestAskBps] : [seenAsNo(bestAskBps), seenAsNo(bestBidBps)];
  return {
    marketId: record.id,
    outcome,
    seq: record.bookSeq,
    checksum: checksumOf(levels),
    bids: levels.bids.map(presentLevel),
    asks: levels.asks.map(presentLevel),
    bestBidBps: sides[0] ?? null,
    bestAskBps: sides[1] ?? null,
    midpointBps: outcome === 'YES' ? midpointBps : seenAsNo(midpointBps),
    lastTradePriceBps: outcome === 'YES' ? lastTradePriceBps : seenAsNo(lastTradePriceBps),
    tickSizeBps: record.tickBps,
    asOf,
  };
}

function seenAsNo(yesPrice: number | null): number | null {
  return yesPrice === null ? null : FULL_BPS - yesPrice;
}
