/** Presents an order and its fills. Rounds cents of reserves and payments **up**, of receipts **down**. */
import { LOT, unchecked } from '../../domain/index.ts';
import type { Archive, ExchangeView, FillRow, OrderRow } from '../../exchange/index.ts';
import { averagePrice, centsDown, centsUp, sharesFloat } from '../../protocol/index.ts';
import type { WireIds } from '../wire-ids.ts';
import type { Model } from './models.ts';

export interface OrderPresenterDeps {
  readonly view: ExchangeView;
  readonly ids: WireIds;
  readonly archive: Pick<Archive, 'order' | 'fillsOfOrder' | 'reversalSeqOf'>;
}

/** Returns the size that may still fill, micro-shares; 0 for a final order. */
export function computeRemaining({ status, shares, filled }: Pick<OrderRow, 'status' | 'shares' | 'filled'>): number {
  return status === 'LIVE' || status === 'PARTIALLY_FILLED' ? shares - filled : 0;
}

/** @param queues `queueAhead` by order, if already computed for many orders; otherwise read from the view */
export function presentOrder(
  row: OrderRow,
  { view, ids }: OrderPresenterDeps,
  queues?: ReadonlyMap<number, number>,
): Model<'Order'> {
  const remaining = computeRemaining(row);
  const queueAhead =
    remaining === 0 ? undefined : queues === undefined ? view.queueAhead(row.order) : queues.get(row.order);
  return {
    id: row.id,
    orderHash: row.id,
    clientOrderId: row.clientOrderId ?? null,
    marketId: ids.marketId(row.market),
    outcome: row.outcome,
    side: row.side,
    priceBps: row.price,
    shares: toFloatShares(row.shares),
    filledShares: toFloatShares(row.filled),
    remainingShares: toFloatShares(remaining),
    averageFillPriceBps: averagePrice(unchecked.usd(row.amount), unchecked.shares(row.filled)),
    timeInForce: row.timeInForce,
    postOnly: row.postOnly,
    expiresAt: row.expiration === 0 ? null : row.expiration,
    status: row.status,
    cancelReason: row.cancelReason ?? null,
    groupId: ids.groups.findId(row.group) ?? null,
    reservedCents: row.side === 'BUY' ? centsUp(unchecked.usd((remaining / LOT) * row.price)) : 0,
    feeCents: centsUp(unchecked.usd(row.fee)),
    queueAheadShares: queueAhead === undefined ? null : toFloatShares(queueAhead),
    seq: row.seq,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** @param loadedOrder the fill's order, if already loaded */
export function presentFill(row: FillRow, { ids, archive }: OrderPresenterDeps, loadedOrder?: OrderRow): Model<'Fill'> {
  const { side } = row;
  const order = loadedOrder ?? archive.order(row.order);
  if (order === undefined) throw new RangeError(`Invariant: order ${row.order} has a fill and no row`);
  const amount = unchecked.usd(row.amount);
  return {
    id: fillId(row.id),
    tradeId: String(row.seq),
    orderId: order.id,
    clientOrderId: order.clientOrderId ?? null,
    marketId: ids.marketId(row.market),
    outcome: row.outcome,
    side,
    priceBps: row.price,
    shares: toFloatShares(row.shares),
    amountCents: side === 'BUY' ? centsUp(amount) : centsDown(amount),
    amountMicros: row.amount,
    feeMicros: row.fee,
    role: row.role,
    matchType: row.match,
    seq: row.seq,
    reversed: archive.reversalSeqOf(row.seq) !== undefined,
    executedAt: row.at,
  };
}

/** Presents all fills of an order, oldest first. */
export function presentOrderFills(order: OrderRow, deps: OrderPresenterDeps): readonly Model<'Fill'>[] {
  return deps.archive.fillsOfOrder(order.order).map((row) => presentFill(row, deps, order));
}

/** Returns the public id of a fill. @param fill a `FillRow.id` */
export function fillId(fill: number): string {
  return String(fill);
}

/** Returns a trade's fills, the taker's first. A print between two traders on a tape has only the taker's fill. */
export function fillsOfTrade(seq: number, archive: Pick<Archive, 'fill'>) {
  return [getTakerFill(seq, archive), archive.fill(2 * seq)] as const;
}

/** The id of a trade's maker fill is twice the trade's `seq`. The id of the taker fill is one more. */
export function getTakerFill(seq: number, archive: Pick<Archive, 'fill'>) {
  return archive.fill(2 * seq + 1);
}

function toFloatShares(shares: number): number {
  return sharesFloat(unchecked.shares(shares));
}
