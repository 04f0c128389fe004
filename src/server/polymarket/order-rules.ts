/** Checks the order rules that only Polymarket has, and sums an order's fills. */
import { FULL_BPS, LOT, type Side, type TimeInForce } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import { dollarsText, POLYMARKET_ERRORS, priceText, sharesText } from '../../protocol/polymarket/index.ts';
import { type TokenTouch, toOutcomePrice } from './markets.ts';
import { computeTransactionHash, tradeId } from './records.ts';

export interface OrderToCheck {
  readonly id: string;
  readonly side: Side;
  readonly type: TimeInForce;
  /** bps, on the tick. */
  readonly price: number;
  /** Micro-shares in whole lots. */
  readonly shares: number;
  readonly tickBps: number;
  /** Whether the signed amounts equal this price and size exactly. */
  readonly isExact: boolean;
  /** Micro-shares. */
  readonly minShares: number;
  readonly touch: TokenTouch;
}

const MIN_MARKETABLE_BUY_MICRO_USD = 1_000_000;

/** Checks tick, size, cost of a marketable BUY, and that a FAK is marketable. Returns undefined for a valid order. */
export function findOrderError(order: OrderToCheck): string | undefined {
  const { id, side, type, price, shares, tickBps, isExact, minShares } = order;
  const canRest = type === 'GTC' || type === 'GTD';
  if (price <= 0 || price >= FULL_BPS || (canRest && !isExact))
    return POLYMARKET_ERRORS.tick(id, priceText(price), priceText(tickBps));
  if (shares === 0 || (canRest && shares < minShares))
    return POLYMARKET_ERRORS.size(id, sharesText(shares), sharesText(minShares));
  const microUsd = (shares / LOT) * price;
  // The exchange would accept and then close a FAK that is not marketable.
  if (!isMarketable(order)) return type === 'FAK' ? POLYMARKET_ERRORS.fak : undefined;
  const isTooCheap = side === 'BUY' && microUsd < MIN_MARKETABLE_BUY_MICRO_USD;
  return isTooCheap ? POLYMARKET_ERRORS.marketableBuy(dollarsText(microUsd)) : undefined;
}

/** Returns whether an order would match at once. */
export function isMarketable({ side, price, touch }: Pick<OrderToCheck, 'side' | 'price' | 'touch'>): boolean {
  const { bid, ask } = touch;
  return side === 'BUY' ? ask !== undefined && price >= ask : bid !== undefined && price <= bid;
}

/**
 * Sums the immediate fills of an order. `making` is in micro-USD for a BUY and in micro-shares for a SELL. `taking` is
 * in the other unit.
 * @param events of the command that placed the order
 */
export function sumFills(events: readonly ExchangeEvent[], side: Side) {
  let [microUsd, shares] = [0, 0];
  const seqs: number[] = [];
  const accepted = events.find((event) => event.type === 'accepted');
  const outcome = accepted?.terms.outcome ?? 'NO';
  for (const event of events) {
    if (event.type !== 'traded' || event.taker !== accepted?.order) continue;
    microUsd += (event.shares / LOT) * toOutcomePrice(outcome, event.yesPrice);
    shares += event.shares;
    seqs.push(event.seq);
  }
  const [making, taking] = side === 'BUY' ? [microUsd, shares] : [shares, microUsd];
  return { making, taking, trades: seqs.map(tradeId), transactions: seqs.map(computeTransactionHash) };
}
