/** An event of the account's own stream, in our units. */
import {
  CLOSE_REASONS,
  type CloseReason,
  type EpochMs,
  InputFault,
  type MicroShares,
  type MicroUsd,
  microUsd,
  type Outcome,
  type PlaceOrder,
  type PriceBps,
  parseTime,
  priceBps,
  type Side,
} from '../../../domain/index.ts';
import {
  type DataOf,
  type FillFieldsFragment,
  microSharesOf,
  type OPERATIONS,
  parseSafeUint,
} from '../../../protocol/index.ts';

/** Longest id of a trade: ids are stored. */
const LONGEST_TRADE_ID = 128;

/** As the stream sends it. */
export type WireOrderEvent = NonNullable<DataOf<(typeof OPERATIONS)['orderEvents']>['orderEvents']>;

/** An execution of an own order. */
export interface OwnFill {
  /** Both sides of the trade carry it. */
  readonly tradeId: string;
  readonly hash: string;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly fee: MicroUsd;
  readonly liquidity: 'maker' | 'taker';
  readonly seq: number;
  readonly at: EpochMs;
}

/** Kinds of own-order events. */
export type OwnEvent = {
  readonly seq: number;
  readonly at: EpochMs;
  readonly hash: string;
  /** Of the order, after the event. */
  readonly remaining: MicroShares;
} & (
  | { readonly kind: 'ACCEPTED' | 'REDUCED' }
  | { readonly kind: 'FILLED'; readonly fill: OwnFill }
  /** The fill was taken back. */
  | { readonly kind: 'REVERSED'; readonly fill: OwnFill }
  | { readonly kind: 'CLOSED'; readonly reason: CloseReason }
);

/** @throws InputFault for an invalid event, naming the field */
export function readOwnEvent(event: WireOrderEvent): OwnEvent {
  const { kind, order, fill, cancelReason } = event;
  if (order === null) throw new InputFault('orderEvents.order', order, `the order that ${kind} is about`);
  const head = {
    seq: parseSafeUint('orderEvents.seq', event.seq),
    at: parseTime('orderEvents.at', event.at),
    hash: order.orderHash.toLowerCase(),
    remaining: microSharesOf('orderEvents.order.remainingShares', order.remainingShares),
  };
  switch (kind) {
    case 'ACCEPTED':
    case 'REDUCED':
      return { ...head, kind };
    case 'FILLED':
    case 'REVERSED':
      if (fill === null) throw new InputFault('orderEvents.fill', fill, 'the fill');
      return { ...head, kind, fill: readFill(fill) };
    case 'CANCELLED':
      return { ...head, kind: 'CLOSED', reason: closeReasonOf(cancelReason) };
    case 'EXPIRED':
      return { ...head, kind: 'CLOSED', reason: 'EXPIRED' };
    default:
      throw new InputFault('orderEvents.kind', kind, 'something that happened to an order');
  }
}

/** A reason that the contract does not have is the venue's own decision. */
export function closeReasonOf(reason: string | null): CloseReason {
  return CLOSE_REASONS.find((known) => known === reason) ?? 'ADMIN';
}

/**
 * Compares an execution with the order that it names.
 * @param marketId of that order
 * @param filled of it before
 * @throws InputFault naming the field in which it contradicts what was signed
 */
export function checkFill(
  { fill }: { readonly fill: OwnFill },
  order: PlaceOrder,
  marketId: string,
  filled: number,
): void {
  const { outcome, side, price, shares } = order;
  const better = side === 'BUY' ? fill.price <= price : fill.price >= price;
  if (fill.marketId.toLowerCase() !== marketId) throw new InputFault('fill.marketId', fill.marketId, marketId);
  if (fill.outcome !== outcome) throw new InputFault('fill.outcome', fill.outcome, `${outcome}, as signed`);
  if (fill.side !== side) throw new InputFault('fill.side', fill.side, `${side}, as signed`);
  if (!better) throw new InputFault('fill.priceBps', fill.price, `no worse than ${price}, as signed`);
  if (fill.shares > shares - filled)
    throw new InputFault('fill.shares', fill.shares, `at most ${shares - filled}, as signed`);
}

/** A fill has the number and the order of its event. @throws InputFault where it does not */
export function checkPlace({ seq, hash, fill }: Pick<OwnEvent, 'seq' | 'hash'> & { readonly fill: OwnFill }): void {
  if (fill.seq !== seq) throw new InputFault('fill.seq', fill.seq, `${seq}, as its event`);
  if (fill.hash !== hash) throw new InputFault('fill.orderId', fill.hash, `${hash}, as its event`);
}

/** @throws InputFault naming the field that cannot be */
export function readFill(fill: FillFieldsFragment): OwnFill {
  const { outcome } = fill;
  if (outcome === 'CANCELLED') throw new InputFault('fill.outcome', outcome, 'YES or NO');
  return {
    tradeId: tradeIdOf(fill.tradeId),
    hash: fill.orderId.toLowerCase(),
    marketId: fill.marketId,
    outcome,
    side: fill.side,
    price: priceBps(fill.priceBps),
    shares: microSharesOf('fill.shares', fill.shares),
    fee: microUsd(parseSafeUint('fill.feeMicros', fill.feeMicros)),
    liquidity: fill.role === 'MAKER' ? 'maker' : 'taker',
    seq: parseSafeUint('fill.seq', fill.seq),
    at: parseTime('fill.executedAt', fill.executedAt),
  };
}

function tradeIdOf(id: unknown): string {
  if (typeof id === 'string' && id.length > 0 && id.length <= LONGEST_TRADE_ID) return id;
  throw new InputFault('fill.tradeId', id, `an id of 1 to ${LONGEST_TRADE_ID} characters`);
}
