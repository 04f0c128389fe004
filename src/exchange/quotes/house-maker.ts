/**
 * The built-in maker, the *house*, makes retail quotes executable: it places them as orders of an unlimited account
 * (docs/spec/venue.md#quoted-prices). A pure function of the book computes the command, which the host applies at once.
 *
 * The reference price ignores the house's own orders. Otherwise the house's ask would raise the reference, which would
 * raise the next ask: to 6000, then 6500 and so on, if others have only a bid at 5000. The rules:
 * - Empty book: the reference is the last trade, 5000 before the first. A taker's trade moves it by half a spread.
 * - One-sided book: the reference is the last trade, raised to the bid or lowered to the ask.
 * - Quotes are clamped to [tick, 10000 - tick]. A side that would cross other orders (or the house's other side, with a
 *   spread of 0) is omitted.
 * - The house only buys, YES as the bid and NO as the ask, so it needs no shares.
 */
import {
  complement,
  type EpochMs,
  FULL_BPS,
  MAX_FEE_BPS,
  type MarketNo,
  type MicroShares,
  type OrderNo,
  unchecked,
} from '../../domain/index.ts';
import type { Replace } from '../command.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import { type BookLevels, type QuotePolicy, retailQuote } from './retail-quote.ts';

export interface HouseConfig {
  /** `fromBook` joins the best prices of others, and fills an empty side like `additive`. */
  readonly policy: QuotePolicy;
  /** A whole number from 0. With 0, the house quotes only if rounding to the tick separates the sides. */
  readonly spreadBps: number;
  /** Size of each side. */
  readonly shares: MicroShares;
  /** The house replaces an order whose remaining size is below this limit. */
  readonly refillBelow: MicroShares;
}

/** An open order of the house: a bid buys YES, an ask buys NO. */
export interface HouseOrder {
  readonly order: OrderNo;
  readonly isBid: boolean;
  /** In YES bps. */
  readonly price: number;
  /** Micro-shares. */
  readonly remaining: number;
}

export interface HouseView {
  readonly market: MarketNo;
  /** All orders, including those of the house. */
  readonly book: BookLevels;
  /** YES bps; 0 before the first trade. */
  readonly lastTrade: number;
  readonly ownOrders: readonly HouseOrder[];
}

/** Returns the command that replaces the house's outdated orders; undefined if all orders match its prices. */
export function houseCommand(caller: AccountCommand, view: HouseView, config: HouseConfig): Replace | undefined {
  const wanted = housePrices(view, config);
  const retainedSides = new Set<boolean>();
  const cancel: OrderNo[] = [];
  for (const { order, isBid, price, remaining } of view.ownOrders) {
    const isInRange = remaining >= config.refillBelow && remaining <= config.shares;
    if (isInRange && price === (isBid ? wanted.bid : wanted.ask) && !retainedSides.has(isBid)) retainedSides.add(isBid);
    else cancel.push(order);
  }
  const place: OrderTerms[] = [];
  for (const isBid of [true, false]) {
    const price = isBid ? wanted.bid : wanted.ask;
    if (price === undefined || retainedSides.has(isBid)) continue;
    place.push(toTerms({ time: caller.time, market: view.market, isBid, price, shares: config.shares }));
  }
  if (cancel.length === 0 && place.length === 0) return undefined;
  const { market } = view;
  return { type: 'replace', ...caller, market, cancel, place, ifNoFillSince: undefined, mustReplace: false };
}

/** Returns the house's bid and ask in YES bps: the retail quotes for the book without the house's own orders. */
export function housePrices(
  { book, lastTrade, ownOrders }: Omit<HouseView, 'market'>,
  { policy, spreadBps }: Pick<HouseConfig, 'policy' | 'spreadBps'>,
): { readonly bid: number | undefined; readonly ask: number | undefined } {
  const bestBid = bestOfOthers(book, ownOrders, 'bid');
  const bestAsk = bestOfOthers(book, ownOrders, 'ask');
  const quote = retailQuote({ tickBps: book.tickBps, bestBid, bestAsk, lastTrade }, policy, spreadBps);
  const bid = FULL_BPS - quote.no;
  const ask = Number(quote.yes);
  if (bid >= ask) return { bid: undefined, ask: undefined };
  return { bid: bid < bestAsk ? bid : undefined, ask: ask > bestBid ? ask : undefined };
}

/** Returns the best bid or ask of other accounts; 0 (bid) or 10000 (ask) if there is none. */
function bestOfOthers(book: BookLevels, ownOrders: readonly HouseOrder[], side: 'bid' | 'ask'): number {
  let price = side === 'bid' ? book.bestBid : book.bestAsk;
  while (price > 0 && price < FULL_BPS && book.sharesAt(price) === ownSharesAt(ownOrders, price)) {
    price = side === 'bid' ? book.priceBelow(price) : book.priceAbove(price);
  }
  return price;
}

function ownSharesAt(ownOrders: readonly HouseOrder[], price: number): number {
  return ownOrders.reduce((sum, order) => (order.price === price ? sum + order.remaining : sum), 0);
}

interface HouseQuote {
  readonly time: EpochMs;
  readonly market: MarketNo;
  readonly isBid: boolean;
  /** YES bps. */
  readonly price: number;
  readonly shares: MicroShares;
}

function toTerms({ time, market, isBid, price, shares }: HouseQuote): OrderTerms {
  const yesPrice = unchecked.price(price);
  return {
    market,
    outcome: isBid ? 'YES' : 'NO',
    side: 'BUY',
    price: isBid ? yesPrice : complement(yesPrice),
    shares,
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
    timestampMs: time,
    epoch: 0,
    // Any rate is acceptable, because post-only orders pay no fee.
    maxFeeBps: MAX_FEE_BPS,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: unchecked.group(0),
    restriction: undefined,
    hash: undefined,
    clientOrderId: undefined,
  };
}
