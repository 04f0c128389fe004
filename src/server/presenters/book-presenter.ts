/** Presents order books: levels in YES or NO prices, and their checksum. */
import { CHECKSUM_LEVELS, crc32, formatChecksum } from '../../book/index.ts';
import { type EpochMs, FULL_BPS, type Outcome, unchecked } from '../../domain/index.ts';
import type { ExchangeView, MarketRecord, VisibleBook } from '../../exchange/index.ts';
import { sharesFloat } from '../../protocol/index.ts';
import { presentTopOfBook, requireBook } from './market-presenter.ts';
import type { Model } from './models.ts';

/** A price level of one outcome. */
export interface Level {
  /** bps. */
  readonly price: number;
  /** Micro-shares. */
  readonly shares: number;
  readonly orders: number;
}

/** Levels of one outcome, best first. */
export interface Levels {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/**
 * Returns the best `depth` levels of each side. For NO, swaps the sides and converts a price p to 10000 - p
 * (docs/spec/venue.md#the-book).
 */
export function listLevels(book: VisibleBook, outcome: Outcome, depth: number): Levels {
  const toLevel = (yesPrice: number): Level => ({
    price: outcome === 'YES' ? yesPrice : FULL_BPS - yesPrice,
    shares: book.sharesAt(yesPrice),
    orders: book.orderCountAt(yesPrice),
  });
  const bids: Level[] = [];
  const asks: Level[] = [];
  for (let price = book.bestBid; price > 0 && bids.length < depth; price = book.priceBelow(price))
    bids.push(toLevel(price));
  for (let price = book.bestAsk; price < FULL_BPS && asks.length < depth; price = book.priceAbove(price))
    asks.push(toLevel(price));
  return outcome === 'YES' ? { bids, asks } : { bids: asks, asks: bids };
}

/** Computes the CRC-32 of up to ten best levels per side: 0x and 8 hex digits (docs/spec/venue.md#book-checksum). */
export function computeChecksum({ bids, asks }: Levels): string {
  const formatLevels = (levels: readonly Level[]): string =>
    levels
      .slice(0, CHECKSUM_LEVELS)
      .map(({ price, shares }) => `${price}:${shares}`)
      .join(',');
  return formatChecksum(crc32(`${formatLevels(bids)}|${formatLevels(asks)}`));
}

export function presentLevels({ bids, asks }: Levels): Pick<Model<'OrderBook'>, 'bids' | 'asks'> {
  return { bids: bids.map(presentLevel), asks: asks.map(presentLevel) };
}

function presentLevel({ price, shares, orders }: Level): Model<'PriceLevel'> {
  return { priceBps: price, shares: sharesFloat(unchecked.shares(shares)), orderCount: orders };
}

export function presentBook(
  record: Readonly<MarketRecord>,
  view: ExchangeView,
  { outcome, depth, asOf }: { readonly outcome: Outcome; readonly depth: number; readonly asOf: EpochMs },
): Model<'OrderBook'> {
  const book = requireBook(record, view);
  const levels = listLevels(book, outcome, depth);
  const yesTop = presentTopOfBook(book.bestBid, book.bestAsk, record.lastTrade);
  const noTop = {
    bestBidBps: complement(yesTop.bestAskBps),
    bestAskBps: complement(yesTop.bestBidBps),
    midpointBps: complement(yesTop.midpointBps),
    lastTradePriceBps: complement(yesTop.lastTradePriceBps),
  };
  return {
    marketId: record.id,
    outcome,
    seq: record.bookSeq,
    checksum: computeChecksum(levels),
    ...presentLevels(levels),
    ...(outcome === 'YES' ? yesTop : noTop),
    tickSizeBps: record.tickBps,
    asOf,
  };
}

function complement(yesPrice: number | null): number | null {
  return yesPrice === null ? null : FULL_BPS - yesPrice;
}
