/** Orders, fills and pages as a scripted venue returns them. */
import { type PlaceOrder, SHARE } from '../../../../src/domain/index.ts';
import type { FillFieldsFragment, OrderFieldsFragment } from '../../../../src/protocol/index.ts';

export const AT = '2026-11-23T00:00:00.000Z';

/** A new order that rests at the venue. */
export function restingOrder(
  hash: string,
  { shares: size, outcome, side, price }: PlaceOrder,
  { marketId, seq }: { readonly marketId: string; readonly seq: number },
): OrderFieldsFragment {
  const shares = size / SHARE;
  return {
    id: hash,
    orderHash: hash,
    marketId,
    outcome,
    side,
    priceBps: price,
    shares,
    filledShares: 0,
    remainingShares: shares,
    status: 'LIVE',
    cancelReason: null,
    seq: String(seq),
    createdAt: AT,
    updatedAt: AT,
  };
}

/** A fill of an order as maker. */
export function fillOf(
  { id, marketId, outcome, side }: OrderFieldsFragment,
  { shares, tradeId, priceBps, seq }: { shares: number; tradeId: string | undefined; priceBps: number; seq: number },
): FillFieldsFragment {
  return {
    tradeId: tradeId ?? `trade ${seq}`,
    orderId: id,
    marketId,
    outcome,
    side,
    priceBps,
    shares,
    feeMicros: '0',
    role: 'MAKER',
    seq: String(seq),
    executedAt: AT,
  };
}

export function page<Node>(nodes: readonly Node[]) {
  return {
    edges: nodes.map((node) => ({ node })),
    pageInfo: { hasNextPage: false, endCursor: null },
  };
}

export function isOpen({ status }: OrderFieldsFragment): boolean {
  return status === 'LIVE' || status === 'PARTIALLY_FILLED';
}

export function cancelled(orderId: string) {
  return { orderId, cancelled: true, remainingShares: 0, filledShares: null, rejection: null };
}

export function positionOf(marketId: string, outcome: 'YES' | 'NO', shares: number) {
  return { marketId, outcome, shares: shares / SHARE, amountMicros: '0', market: { status: 'OPEN' } };
}
