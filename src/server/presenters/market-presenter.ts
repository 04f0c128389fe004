/**
 * Presents markets, trades, prices and settings. Rounds cents of traded volume **down**. Rounds cents of minimums
 * **up** and of maximums **down**, so that the venue accepts each amount within the presented limits.
 */
import { FULL_BPS, LOT, type MarketId, unchecked } from '../../domain/index.ts';
import {
  acceptsOrders,
  type ExchangeConfig,
  type ExchangeEvent,
  type ExchangeView,
  type MarketRecord,
  type PricePointRow,
  type RetailQuote,
  type TradeRow,
} from '../../exchange/index.ts';
import { centsDown, centsUp, sharesFloat } from '../../protocol/index.ts';
import type { MarketModel, Model } from './models.ts';

/** Presents the best YES prices. @param bestBid 0 for none @param bestAsk 10000 for none @param lastTrade 0 for none */
export function presentTopOfBook(bestBid: number, bestAsk: number, lastTrade: number) {
  const hasBoth = bestBid > 0 && bestAsk < FULL_BPS;
  return {
    bestBidBps: bestBid > 0 ? bestBid : null,
    bestAskBps: bestAsk < FULL_BPS ? bestAsk : null,
    /** Rounded down; null if a side is empty. */
    midpointBps: hasBoth ? Math.floor((bestBid + bestAsk) / 2) : null,
    lastTradePriceBps: lastTrade > 0 ? lastTrade : null,
  };
}

/** Presents a market without the cache. */
export function presentMarket(record: Readonly<MarketRecord>, view: ExchangeView): MarketModel {
  const { number, id, slug, question, status, resolutionDate, createdAt, updatedAt, categorySlug, topicSlugs } = record;
  return {
    number,
    id,
    slug,
    question,
    status,
    ...presentPrices(record, view),
    volumeCents: centsDown(record.volume),
    resolutionDate,
    description: record.description ?? null,
    tickSizeBps: record.tickBps,
    minOrderShares: sharesFloat(record.minOrderShares),
    lotShares: LOT_SHARES,
    feeRateBps: record.feeRateBps,
    acceptingOrders: acceptsOrders(record) && (view.mode === 'NORMAL' || view.mode === 'POST_ONLY'),
    blockchainStep: record.chainStep ?? null,
    eventId: record.eventId ?? null,
    createdAt,
    updatedAt,
    categorySlug,
    topicSlugs,
  };
}

function presentPrices(record: Readonly<MarketRecord>, view: ExchangeView) {
  const { yes: yesPriceBps, no: noPriceBps, spreadBps } = requireQuotes(record, view);
  const { bestBid, bestAsk } = requireBook(record, view);
  return { yesPriceBps, noPriceBps, spreadBps, ...presentTopOfBook(bestBid, bestAsk, record.lastTrade) };
}

/**
 * Caches presented markets until they change. Add it to the queue's watchers before the start. Read the cache only
 * where the state is durable.
 */
export class MarketViewCache {
  readonly #view: ExchangeView;
  /** By market number. A change of the book changes `bookSeq`. Any other change causes an event. */
  readonly #cached: ({ readonly market: MarketModel; readonly bookSeq: number } | undefined)[] = [];

  constructor(view: ExchangeView) {
    this.#view = view;
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'traded') this.#cached[event.market] = undefined;
      else if (event.type !== 'rareEvent') continue;
      else if (event.event.type === 'venueChanged') this.#cached.length = 0;
      else if ('market' in event.event) this.#cached[event.event.market] = undefined;
    }
  }

  /** @throws RangeError for an unknown market */
  getMarket(market: number): MarketModel {
    return this.present(requireRecord(market, this.#view));
  }

  present(record: Readonly<MarketRecord>): MarketModel {
    const cached = this.#cached[record.number];
    if (cached !== undefined && cached.bookSeq === record.bookSeq) return cached.market;
    const market = presentMarket(record, this.#view);
    this.#cached[record.number] = { market, bookSeq: record.bookSeq };
    return market;
  }
}

export function presentPriceUpdate(record: Readonly<MarketRecord>, view: ExchangeView): Model<'PriceUpdate'> {
  return { marketId: record.id, ...presentPrices(record, view), seq: view.seq, at: view.now };
}

const LOT_SHARES = sharesFloat(unchecked.shares(LOT));

/** @throws RangeError for an unknown market */
export function requireRecord(number: number, view: ExchangeView): Readonly<MarketRecord> {
  const market = view.market(number);
  if (market === undefined) throw new RangeError(`Invariant: there is no market ${number}`);
  return market;
}

export function requireQuotes({ number }: Readonly<MarketRecord>, view: ExchangeView): RetailQuote {
  const quotes = view.quotes(number);
  if (quotes === undefined) throw new RangeError(`Invariant: market ${number} has no quotes`);
  return quotes;
}

/** Returns the market's book, which is empty if the market is not open. */
export function requireBook({ number }: { readonly number: number }, view: ExchangeView) {
  const book = view.book(number);
  if (book === undefined) throw new RangeError(`Invariant: market ${number} has no book`);
  return book;
}

/** Presents a trade as the taker sees it. The trade's id is its `seq`, which both fills carry. */
export function presentTrade(row: TradeRow, market: MarketId): Model<'Trade'> {
  const { seq, outcome, side, price, shares, amount, match, at } = row;
  return {
    id: String(seq),
    marketId: market,
    outcome,
    side,
    priceBps: price,
    lastTradePriceBps: outcome === 'YES' ? price : FULL_BPS - price,
    shares: sharesFloat(unchecked.shares(shares)),
    amountCents: centsDown(unchecked.usd(amount)),
    matchType: match,
    seq,
    executedAt: at,
  };
}

export function presentPricePoint(row: PricePointRow): Model<'PricePoint'> {
  const { at, yes, no, bestBid = 0, bestAsk = FULL_BPS, lastTrade = 0, volume } = row;
  const top = presentTopOfBook(bestBid, bestAsk, lastTrade);
  return { at, yesPriceBps: yes, noPriceBps: no, ...top, volumeCents: centsDown(unchecked.usd(volume)) };
}

/** @param betPresets cents */
export function presentBettingConfig(config: ExchangeConfig, betPresets: readonly number[]): Model<'BettingConfig'> {
  return {
    minBetCents: centsUp(config.minBet),
    maxInitialBetCents: centsDown(config.maxInitialBet),
    betPresets,
    spreadBps: config.spreadBps,
    maxBatchOrders: config.maxBatchOrders,
    maxBatchCancels: config.maxBatchCancels,
    minHeartbeatMs: config.minHeartbeat,
    maxHeartbeatMs: config.maxHeartbeat,
    maxClockSkewMs: config.maxClockSkew,
    feeRateBps: config.feeRateBps,
  };
}

/** Rounds the dispute window **down** to seconds, so that a dispute within the presented window is never late. */
export function presentMarketConfig(config: ExchangeConfig): Model<'MarketConfig'> {
  return {
    maxQuestionLength: config.maxQuestionLength,
    maxExposurePerMarketCents: centsDown(config.maxExposurePerMarket),
    maxBetPerMarketCents: centsDown(config.maxBetPerMarket),
    tickSizeBps: config.tickBps,
    minOrderShares: sharesFloat(config.minOrderShares),
    lotShares: LOT_SHARES,
    disputeWindowSeconds: Math.floor(config.disputeWindow / 1_000),
  };
}
