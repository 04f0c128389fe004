/** Public endpoints for markets, books and prices (docs/spec/polymarket.md#endpoints). */
import { z } from 'zod';
import { FULL_BPS, unchecked } from '../../domain/index.ts';
import { PRICE_INTERVALS } from '../../exchange/index.ts';
import { priceText } from '../../protocol/polymarket/index.ts';
import { presentClobMarket, presentGammaMarket, presentMarket, presentSimplified } from './market-presenter.ts';
import { type PolymarketMarket, type PolymarketMarkets, type PolymarketToken, toOutcomePrice } from './markets.ts';
import type { MakerPayments } from './payments.ts';
import { badRequest, EMPTY_PAGE, END_CURSOR, PolymarketRefusal, parseCursor, readOr400, toPage } from './request.ts';
import type { PolymarketShared } from './shared.ts';

export interface PublicDeps extends PolymarketShared {
  readonly payments: MakerPayments;
}

interface PublicRequest {
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The final part of a path such as `/markets/{condition}`. */
  readonly name: string;
  /** The parsed body; undefined for none. */
  readonly body: unknown;
}

export type PublicHandler = (request: PublicRequest) => unknown;

const MAX_TOKENS = 500;
const tokenId = z.string().max(100);
const tokenList = z.array(z.object({ token_id: tokenId })).max(MAX_TOKENS);
const sideList = z.array(z.object({ token_id: tokenId, side: z.enum(['BUY', 'SELL']) })).max(MAX_TOKENS);
/** Requested time before now; 0 for the whole history. */
const RANGE_SECONDS = new Map([
  ['1h', 3_600],
  ['6h', 21_600],
  ['1d', 86_400],
  ['1w', 604_800],
  ['max', 0],
]);
const MAX_POINTS = 2_000;
const INTERVALS = ['ONE_MINUTE', 'FIVE_MINUTES', 'ONE_HOUR', 'SIX_HOURS', 'ONE_DAY'] as const;

/** Creates handlers by method and path. A path with a final `/` accepts a name. Call handlers only on durable state. */
export function createPublicRoutes(deps: PublicDeps): ReadonlyMap<string, PublicHandler> {
  const { queue, markets } = deps;
  const requireToken = ({ query }: PublicRequest): PolymarketToken => markets.tokenWithBook(query['token_id'] ?? '');
  const requireRecord = (request: PublicRequest) => markets.record(requireToken(request).market);
  const listMarkets = (present: (market: PolymarketMarket) => object) => (request: PublicRequest) =>
    toPage(markets.all().map(present), parseCursor(request.query['next_cursor']));
  const answerByToken = <Value>(body: unknown, read: (token: PolymarketToken) => Value): Record<string, Value> =>
    Object.fromEntries(
      readOr400(tokenList, body).flatMap(({ token_id: id }) => {
        const token = markets.findToken(id);
        return token === undefined ? [] : [[id, read(token)] as const];
      }),
    );
  return new Map<string, PublicHandler>([
    ['GET /ok', () => 'OK'],
    ['GET /version', () => ({ version: deps.orderFormat.version })],
    ['GET /time', () => Math.floor(queue.now / 1_000)],
    ['GET /markets', listMarkets((market) => presentMarket(market, markets))],
    ['GET /sampling-markets', listMarkets((market) => presentMarket(market, markets))],
    ['GET /simplified-markets', listMarkets((market) => presentSimplified(market, markets))],
    ['GET /sampling-simplified-markets', listMarkets((market) => presentSimplified(market, markets))],
    ['GET /markets/', ({ name }) => presentMarket(markets.requireMarket(name), markets)],
    ['GET /clob-markets/', ({ name }) => presentClobMarket(markets.requireMarket(name), markets)],
    ['GET /markets-by-token/', ({ name }) => getMarketByToken(name, markets)],
    ['GET /gamma/markets/keyset', (request) => getGammaPage(request, deps)],
    ['GET /book', (request) => markets.presentBook(requireToken(request), queue.now)],
    ['POST /books', ({ body }) => readOr400(tokenList, body).flatMap(({ token_id: id }) => listBookIfOpen(id, deps))],
    ['GET /midpoint', (request) => ({ mid: computeMidpoint(requireToken(request), markets) })],
    ['POST /midpoints', ({ body }) => answerByToken(body, (token) => computeMidpoint(token, markets))],
    ['GET /spread', (request) => ({ spread: computeSpread(requireToken(request), markets) })],
    ['POST /spreads', ({ body }) => answerByToken(body, (token) => computeSpread(token, markets))],
    ['GET /price', (request) => ({ price: getPrice(requireToken(request), request.query['side'], markets) })],
    ['POST /prices', ({ body }) => listPrices(body, markets)],
    ['GET /last-trade-price', (request) => getLastTrade(requireToken(request), deps)],
    ['POST /last-trades-prices', ({ body }) => listLastTrades(body, deps)],
    ['GET /tick-size', (request) => ({ minimum_tick_size: requireRecord(request).tickBps / FULL_BPS })],
    ['GET /neg-risk', (request) => ({ neg_risk: requireToken(request).market.negRiskId !== undefined })],
    ['GET /fee-rate', (request) => ({ base_fee: requireRecord(request).feeRateBps })],
    ['GET /prices-history', (request) => getPricesHistory(request, deps)],
    ['GET /rewards/markets/current', () => EMPTY_PAGE],
    ['GET /rewards/markets/', () => EMPTY_PAGE],
    ['GET /rebates/current', ({ query }) => deps.payments.rebates(query)],
  ]);
}

function getMarketByToken(id: string, markets: PolymarketMarkets): object {
  const token = markets.findToken(id);
  if (token === undefined) throw new PolymarketRefusal(404, 'market not found');
  const [yes, no] = token.market.tokens;
  return { condition_id: token.market.condition, primary_token_id: yes, secondary_token_id: no };
}

/** Returns a page of Gamma's markets. The final page has no cursor. */
function getGammaPage({ query }: PublicRequest, { markets }: PublicDeps): object {
  const ids = (query['condition_ids'] ?? '').split(',').filter((id) => id !== '');
  const all = ids.length === 0 ? markets.all() : ids.flatMap((id) => markets.findByCondition(id) ?? []);
  const { data, next_cursor: next } = toPage(all, parseCursor(query['after_cursor']));
  return {
    markets: data.map((market) => presentGammaMarket(market, markets)),
    ...(next === END_CURSOR ? {} : { next_cursor: next }),
  };
}

function listBookIfOpen(id: string, { markets, queue }: PublicDeps): readonly object[] {
  const token = markets.findToken(id);
  const isOpen = token !== undefined && markets.record(token.market).status === 'OPEN';
  return isOpen ? [markets.presentBook(token, queue.now)] : [];
}

function computeMidpoint(token: PolymarketToken, markets: PolymarketMarkets): string {
  const { bid = 0, ask = FULL_BPS } = markets.touch(token);
  // `priceText` cannot show the half basis point that a mid can have.
  return String((bid + ask) / 2 / FULL_BPS);
}

function computeSpread(token: PolymarketToken, markets: PolymarketMarkets): string {
  const { bid = 0, ask = FULL_BPS } = markets.touch(token);
  return priceText(ask - bid);
}

/** Returns the best bid for `BUY`, the best ask for `SELL`. @throws PolymarketRefusal for another side */
function getPrice(token: PolymarketToken, side: string | undefined, markets: PolymarketMarkets): string {
  const { bid = 0, ask = 0 } = markets.touch(token);
  if (side?.toUpperCase() === 'BUY') return priceText(bid);
  if (side?.toUpperCase() === 'SELL') return priceText(ask);
  throw badRequest('Invalid side');
}

function listPrices(body: unknown, markets: PolymarketMarkets): object {
  const pricesById: Record<string, Record<string, string>> = {};
  for (const { token_id: id, side } of readOr400(sideList, body)) {
    const token = markets.findToken(id);
    if (token === undefined) continue;
    pricesById[id] ??= {};
    pricesById[id][side] = getPrice(token, side, markets);
  }
  return pricesById;
}

function getLastTrade(token: PolymarketToken, { archive, markets }: PublicDeps) {
  const [last] = archive.trades(token.market.number, { maxRows: 1, direction: 'forward', from: undefined }).rows;
  // A BUY of one token is a SELL of the market's other token.
  const isBuy = (last?.side === 'BUY') === (last?.outcome === token.outcome);
  const side = last === undefined ? '' : isBuy ? 'BUY' : 'SELL';
  // Polymarket answers half a dollar before the first trade.
  return { price: markets.lastTradePrice(token) || '0.5', side };
}

function listLastTrades(body: unknown, deps: PublicDeps): readonly object[] {
  return readOr400(tokenList, body).flatMap(({ token_id: id }) => {
    const token = deps.markets.findToken(id);
    return token === undefined ? [] : [{ token_id: id, ...getLastTrade(token, deps) }];
  });
}

/**
 * Returns the last price of each interval that overlaps the requested time. An interval that began earlier gets the
 * time of the requested start. Chooses the shortest intervals that give at most `MAX_POINTS` points.
 */
function getPricesHistory({ query }: PublicRequest, { archive, markets, queue }: PublicDeps): object {
  const token = markets.findToken(query['market'] ?? '');
  if (token === undefined) return { history: [] };
  const nowSeconds = queue.now / 1_000;
  const rangeSeconds = RANGE_SECONDS.get(query['interval'] ?? '');
  const firstSeconds =
    rangeSeconds === undefined ? Number(query['startTs'] ?? 0) : rangeSeconds === 0 ? 0 : nowSeconds - rangeSeconds;
  const lastSeconds = Number(query['endTs'] ?? nowSeconds);
  if (!Number.isFinite(firstSeconds) || !Number.isFinite(lastSeconds)) throw badRequest('invalid filters');
  const { number, createdAt } = markets.record(token.market);
  const [firstMs, untilMs] = [firstSeconds * 1_000, unchecked.time(Math.min(lastSeconds * 1_000, queue.now))];
  if (firstMs > untilMs) return { history: [] };
  const lengthMs = untilMs - Math.max(firstMs, createdAt);
  const interval = INTERVALS.find((candidate) => lengthMs / PRICE_INTERVALS[candidate] < MAX_POINTS - 1) ?? 'ONE_DAY';
  const since = unchecked.time(Math.floor(firstMs / PRICE_INTERVALS[interval]) * PRICE_INTERVALS[interval]);
  const rows = archive.prices({ market: number, interval, since, until: untilMs, max: MAX_POINTS });
  return {
    history: rows.flatMap(({ at, lastTrade: yes }) => {
      const unixSeconds = Math.floor(Math.max(at, firstMs) / 1_000);
      return yes === undefined ? [] : [{ t: unixSeconds, p: toOutcomePrice(token.outcome, yes) / FULL_BPS }];
    }),
  };
}
