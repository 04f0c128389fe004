/** Checks the order rules that Polymarket has and the exchange does not, and sums an order's fills. */
import { FULL_BPS, LOT, type Side, type TimeInForce } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import { dollarsText, POLYMARKET_ERRORS, priceText, sharesText } from '../../protocol/polymarket/index.ts';
import { inTermsOf, type TokenTouch } from './markets.ts';
import { tradeId, transactionOf } from './records.ts';

/** Inputs of the rules. */
export interface OrderToCheck {
  readonly id: string;
  readonly side: Side;
  readonly type: TimeInForce;
  /** In bps, on the tick. */
  readonly price: number;
  /** Micro-shares in whole lots. */
  readonly shares: number;
  readonly tickBps: number;
  /** Whether the signed amounts are exactly this price and size. */
  readonly isExact: boolean;
  /** Micro-shares. */
  readonly minShares: number;
  readonly touch: TokenTouch;
}

/** Minimum cost of a marketable BUY, micro-USD. */
const MIN_DOLLARS = 1_000_000;

/** Checks tick and size. @returns the error text; undefined for a valid order */
export function tickOrSizeError({
  id,
  type,
  price,
  shares,
  tickBps,
  isExact,
  minShares,
}: OrderToCheck): string | undefined {
  const rests = type === 'GTC' || type === 'GTD';
  if (price <= 0 || price >= FULL_BPS || (rests && !isExact))
    return POLYMARKET_ERRORS.tick(id, priceText(price), priceText(tickBps));
  if (shares === 0 || (rests && shares < minShares))
    return POLYMARKET_ERRORS.size(id, sharesText(shares), sharesText(minShares));
  return undefined;
}

/** Returns whether an order would take from the book. */
export function isMarketable({
  side,
  price,
  touch: { bid, ask },
}: Pick<OrderToCheck, 'side' | 'price' | 'touch'>): boolean {
  return side === 'BUY' ? ask !== undefined && price >= ask : bid !== undefined && price <= bid;
}

/** Checks that a marketable BUY costs at least a dollar. @returns as `tickOrSizeError` */
export function minimumCostError(order: OrderToCheck): string | undefined {
  if (order.side !== 'BUY' || !isMarketable(order)) return undefined;
  const dollars = (order.shares / LOT) * order.price;
  return dollars < MIN_DOLLARS ? POLYMARKET_ERRORS.marketableBuy(dollarsText(dollars)) : undefined;
}

/** Refuses a FAK that is not marketable. The exchange would accept and close it. @returns as `tickOrSizeError` */
export function notMarketableError(order: OrderToCheck): string | undefined {
  return order.type === 'FAK' && !isMarketable(order) ? POLYMARKET_ERRORS.fak : undefined;
}

/** Sums the fills that an order got when it was placed. @param events of the command that placed it */
export function fillsOf(events: readonly ExchangeEvent[], side: Side) {
  let [dollars, shares] = [0, 0];
  const seqs: number[] = [];
  const accepted = events.find((event) => event.type === 'accepted');
  const outcome = accepted?.terms.outcome ?? 'NO';
  for (const event of events) {
    if (event.type !== 'traded' || event.taker !== accepted?.order) continue;
    dollars += (event.shares / LOT) * inTermsOf(outcome, event.yesPrice);
    shares += event.shares;
    seqs.push(event.seq);
  }
  const [making, taking] = side === 'BUY' ? [dollars, shares] : [shares, dollars];
  // `making`: micro-USD of a BUY, micro-shares of a SELL; `taking` the reverse.
  return { making, taking, trades: seqs.map(tradeId), transactions: seqs.map(transactionOf) };
}
