/** Presents markets in the forms of Polymarket's endpoints and Gamma. */
import { FULL_BPS, formatTime } from '../../domain/index.ts';
import { acceptsOrders, type MarketRecord } from '../../exchange/index.ts';
import { priceText, sharesText } from '../../protocol/polymarket/index.ts';
import type { PolymarketMarket, PolymarketMarkets } from './markets.ts';

/** Presents a market for `GET /markets/{condition}`. */
export function presentMarket(market: PolymarketMarket, markets: PolymarketMarkets): object {
  const record = markets.record(market);
  return {
    ...presentSimplified(market, markets),
    question: record.question,
    description: record.description ?? record.rules,
    market_slug: record.slug,
    minimum_order_size: record.minOrderShares / 1_000_000,
    minimum_tick_size: record.tickBps / FULL_BPS,
    end_date_iso: formatTime(record.resolutionDate),
    game_start_time: null,
    seconds_delay: 0,
    maker_base_fee: 0,
    taker_base_fee: record.feeRateBps,
    neg_risk: market.negRiskId !== undefined,
    neg_risk_market_id: market.negRiskId ?? '',
    enable_order_book: true,
    is_50_50_outcome: record.finalAt !== undefined && record.yesPayoutBps === FULL_BPS / 2,
    rewards: { rates: [], min_size: 0, max_spread: 0 },
    tags: [...record.topicSlugs],
  };
}

/** Presents a market for `GET /simplified-markets`. */
export function presentSimplified(market: PolymarketMarket, markets: PolymarketMarkets): object {
  const record = markets.record(market);
  const [yes, no] = market.tokens;
  const yesPrice = getYesPrice(record, market, markets);
  const winner = getWinner(record);
  return {
    condition_id: market.condition,
    tokens: [
      { token_id: yes, outcome: 'Yes', price: yesPrice / FULL_BPS, winner: winner === 'YES' },
      { token_id: no, outcome: 'No', price: (FULL_BPS - yesPrice) / FULL_BPS, winner: winner === 'NO' },
    ],
    rewards: { rates: [], min_size: 0, max_spread: 0 },
    active: record.status !== 'PENDING_BLOCKCHAIN' || record.chainStep !== 'DEPLOY',
    closed: record.finalAt !== undefined,
    archived: false,
    accepting_orders: acceptsOrders(record),
  };
}

/** Presents a market for `GET /clob-markets/{condition}`. */
export function presentClobMarket(market: PolymarketMarket, markets: PolymarketMarkets): object {
  const record = markets.record(market);
  const [yes, no] = market.tokens;
  return {
    c: market.condition,
    t: [
      { t: yes, o: 'Yes' },
      { t: no, o: 'No' },
    ],
    mts: record.tickBps / FULL_BPS,
    mos: record.minOrderShares / 1_000_000,
    nr: market.negRiskId !== undefined,
    ao: acceptsOrders(record),
    cbos: false,
    fd: { r: record.feeRateBps / FULL_BPS, e: 1, to: true },
    mbf: 0,
    tbf: 0,
    r: null,
    sd: 0,
    itode: false,
  };
}

/** Presents a market for Gamma's lists. */
export function presentGammaMarket(market: PolymarketMarket, markets: PolymarketMarkets): object {
  const record = markets.record(market);
  const yesPrice = getYesPrice(record, market, markets);
  const rebateRate = markets.rebateBps / FULL_BPS;
  return {
    id: String(market.number),
    conditionId: market.condition,
    slug: record.slug,
    question: record.question,
    category: record.categorySlug,
    endDate: formatTime(record.resolutionDate),
    createdAt: formatTime(record.createdAt),
    outcomes: JSON.stringify(['Yes', 'No']),
    outcomePrices: JSON.stringify([priceText(yesPrice), priceText(FULL_BPS - yesPrice)]),
    clobTokenIds: JSON.stringify(market.tokens),
    version: 'v1',
    active: true,
    closed: record.finalAt !== undefined,
    ...(record.finalAt !== undefined && { closedTime: formatTime(record.finalAt), umaResolutionStatus: 'resolved' }),
    acceptingOrders: acceptsOrders(record),
    enableOrderBook: true,
    negRisk: market.negRiskId !== undefined,
    ...(market.negRiskId !== undefined && { negRiskMarketID: market.negRiskId }),
    orderPriceMinTickSize: record.tickBps / FULL_BPS,
    orderMinSize: Number(sharesText(record.minOrderShares)),
    feesEnabled: record.feeRateBps > 0,
    feeSchedule: { rate: record.feeRateBps / FULL_BPS, exponent: 1, takerOnly: true, rebateRate },
    secondsDelay: 0,
  };
}

/** Returns the outcome that pays a dollar; undefined before the final resolution and for a split payout. */
export function getWinner({ finalAt, yesPayoutBps }: Readonly<MarketRecord>): 'YES' | 'NO' | undefined {
  if (finalAt === undefined) return undefined;
  if (yesPayoutBps === FULL_BPS) return 'YES';
  return yesPayoutBps === 0 ? 'NO' : undefined;
}

/** Returns the first known price in bps: the final payout, the mid, the latest trade price or half a dollar. */
function getYesPrice(record: Readonly<MarketRecord>, market: PolymarketMarket, markets: PolymarketMarkets): number {
  if (record.finalAt !== undefined && record.yesPayoutBps !== undefined) return record.yesPayoutBps;
  const { bid, ask } = markets.touch({ market, outcome: 'YES' });
  if (bid !== undefined && ask !== undefined) return Math.floor((bid + ask) / 2);
  return record.lastTrade === 0 ? FULL_BPS / 2 : record.lastTrade;
}
