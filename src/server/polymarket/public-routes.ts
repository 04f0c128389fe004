/** Public endpoints for markets, books and prices (docs/spec/polymarket.md#endpoints). */
import { z } from 'zod';
import { FULL_BPS } from '../../domain/index.ts';
import { priceText } from '../../protocol/polymarket/index.ts';
import { presentClobMarket, presentGammaMarket, presentMarket, presentSimplified } from './market-presenter.ts';
import { type PolymarketMarkets, type PolymarketToken, toOutcomePrice } from './markets.ts';
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

/** Returns the answer. */
export type PublicHandler = (request: PublicRequest) => unknown;

const MAX_TOKENS = 500;
const token = z.string().max(100);
const tokenList = z.array(z.object({ token_id: token })).max(MAX_TOKENS);
const sideList = z.array(z.object({ token_id: token, side: z.enum(['BUY', 'SELL']) })).max(MAX_TOKENS);
const INTERVALS: Readonly<Record<string, number>> = { '1h': 3_600, '6h': 21_600, '1d': 86_400, '1w': 604_800, max: 0 };
const MAX_POINTS = 2_000;

/** Creates handlers by method and path. A path with a final `/` accepts a name. Call handlers only on durable state. */
export function createPublicRoutes(deps: PublicDeps): ReadonlyMap<string, PublicHandler> {
  const { queue, markets } = deps;
  const tokenOf = ({ query }: PublicRequest): PolymarketToken => markets.tokenWithBook(query['token_id'] ?? '');
  const page = (present: (market: ReturnType<PolymarketMarkets['getMarket']>) => object) => (request: PublicRequest) =>
    toPage(markets.all().map(present), parseCursor(request.query['next_cursor']));
  const byToken = <Value>(body: unknown, read: (found: PolymarketToken) => Value): Record<string, Value> =>
    Object.fromEntries(
      readOr400(tokenList, body).flatMap(({ token_id: id }) => {
        const found = markets.findToken(id);
        return found === undefined ? [] : [[id, read(found)] as const];
      }),
    );
  const book = (found: PolymarketToken): object => markets.book(found, queue.now);
  return new Map<string, PublicHandler>([
    ['GET /ok', () => 'OK'],
    ['GET /version', () => ({ version: deps.acceptedOrders.version })],
    ['GET /time', () => Math.floor(queue.now / 1_000)],
    ['GET /markets', page((found) => presentMarket(found, markets))],
    ['GET /sampling-markets', page((found) => presentMarket(found, markets))],
    ['GET /simplified-markets', page((found) => presentSimplified(found, markets))],
    ['GET /sampling-simplified-markets', page((found) => presentSimplified(found, markets))],
    ['GET /markets/', ({ name }) => presentMarket(markets.requireMarket(name), markets)],
    ['GET /clob-markets/', ({ name }) => presentClobMarket(markets.requireMarket(name), markets)],
    ['GET /markets-by-token/', ({ name }) => marketByToken(name, markets)],
    ['GET /gamma/markets/keyset', (request) => gammaPage(request, deps)],
    ['GET /book', (request) => book(tokenOf(request))],
    ['POST /books', ({ body }) => readOr400(tokenList, body).flatMap(({ token_id: id }) => bookIfOpen(id, deps))],
    ['GET /midpoint', (request) => ({ mid: midpoint(tokenOf(request), markets) })],
    ['POST /midpoints', ({ body }) => byToken(body, (found) => midpoint(found, markets))],
    ['GET /spread', (request) => ({ spread: spread(tokenOf(request), markets) })],
    ['POST /spreads', ({ body }) => byToken(body, (found) => spread(found, markets))],
    ['GET /price', (request) => ({ price: price(tokenOf(request), request.query['side'], markets) })],
    ['POST /prices', ({ body }) => prices(body, markets)],
    ['GET /last-trade-price', (request) => lastTrade(tokenOf(request), deps)],
    ['POST /last-trades-prices', ({ body }) => lastTrades(body, deps)],
    [
      'GET /tick-size',
      (request) => ({ minimum_tick_size: markets.record(tokenOf(request).market).tickBps / FULL_BPS }),
    ],
    ['GET /neg-risk', (request) => ({ neg_risk: tokenOf(request).market.negRiskId !== undefined })],
    ['GET /fee-rate', (request) => ({ base_fee: markets.record(tokenOf(request).market).feeRateBps })],
    ['GET /prices-history', (request) => pricesHistory(request, deps)],
    ['GET /rewards/markets/current', () => EMPTY_PAGE],
    ['GET /rewards/markets/', () => EMPTY_PAGE],
    ['GET /rebates/current', ({ query }) => deps.payments.rebates(query)],
  ]);
}

function marketByToken(id: string, markets: PolymarketMarkets): object {
  const found = markets.findToken(id);
  if (found === undefined) throw new PolymarketRefusal(404, 'market not found');
  const [yes, no] = found.market.tokens;
  return { condition_id: found.market.condition, primary_token_id: yes, secondary_token_id: no };
}

/** Answers Gamma's list of markets. The final page has no cursor. */
function gammaPage({ query }: PublicRequest, { markets }: PublicDeps): object {
  const ids = (query['condition_ids'] ?? '').split(',').filter((id) => id !== '');
  const all = ids.length === 0 ? markets.all() : ids.flatMap((id) => markets.findByCondition(id) ?? []);
  const { data, next_cursor: next } = toPage(all, parseCursor(query['after_cursor']));
  return {
    markets: data.map((found) => presentGammaMarket(found, markets)),
    ...(next === END_CURSOR ? {} : { next_cursor: next }),
  };
}

function bookIfOpen(id: string, { markets, queue }: PublicDeps): readonly object[] {
  const found = markets.findToken(id);
  const isOpen = found !== undefined && markets.record(found.market).status === 'OPEN';
  return isOpen ? [markets.book(found, queue.now)] : [];
}

function midpoint(found: PolymarketToken, markets: PolymarketMarkets): string {
  const { bid = 0, ask = FULL_BPS } = markets.touch(found);
  // A mid can be half a basis point.
  return String((bid + ask) / 2 / FULL_BPS);
}

function spread(found: PolymarketToken, markets: PolymarketMarkets): string {
  const { bid = 0, ask = FULL_BPS } = markets.touch(found);
  return priceText(ask - bid);
}

/** Returns the best bid for `BUY`, the best ask for `SELL`. @throws PolymarketRefusal for another side */
function price(found: PolymarketToken, side: string | undefined, markets: PolymarketMarkets): string {
  const { bid = 0, ask = 0 } = markets.touch(found);
  if (side?.toUpperCase() === 'BUY') return priceText(bid);
  if (side?.toUpperCase() === 'SELL') return priceText(ask);
  throw badRequest('Invalid side');
}

function prices(body: unknown, markets: PolymarketMarkets): object {
  const pricesById: Record<string, Record<string, string>> = {};
  for (const { token_id: id, side } of readOr400(sideList, body)) {
    const found = markets.findToken(id);
    if (found === undefined) continue;
    pricesById[id] ??= {};
    pricesById[id][side] = price(found, side, markets);
  }
  return pricesById;
}

function lastTrade(
  found: PolymarketToken,
  { archive, markets }: PublicDeps,
): { readonly price: string; readonly side: string } {
  const [last] = archive.trades(found.market.no, { take: 1, direction: 'forward', from: undefined }).rows;
  // Polymarket answers half a dollar before the first trade.
  return { price: markets.lastTrade(found) || '0.5', side: last?.side ?? '' };
}

function lastTrades(body: unknown, deps: PublicDeps): readonly object[] {
  return readOr400(tokenList, body).flatMap(({ token_id: id }) => {
    const found = deps.markets.findToken(id);
    return found === undefined ? [] : [{ token_id: id, ...lastTrade(found, deps) }];
  });
}

function pricesHistory({ query }: PublicRequest, { archive, markets, queue }: PublicDeps): object {
  const found = markets.findToken(query['market'] ?? '');
  if (found === undefined) return { history: [] };
  const seconds = INTERVALS[query['interval'] ?? ''];
  const since = seconds === undefined ? Number(query['startTs'] ?? 0) : seconds === 0 ? 0 : queue.now / 1_000 - seconds;
  const until = Number(query['endTs'] ?? queue.now / 1_000);
  if (!Number.isFinite(since) || !Number.isFinite(until)) throw badRequest('invalid filters');
  const points = archive.prices({ market: found.market.no, interval: 'ONE_MINUTE', max: MAX_POINTS });
  return {
    history: points.flatMap(({ at, lastTrade: yes }) =>
      yes === undefined || at < since * 1_000 || at > until * 1_000
        ? []
        : [{ t: Math.floor(at / 1_000), p: toOutcomePrice(found.outcome, yes) / FULL_BPS }],
    ),
  };
}
