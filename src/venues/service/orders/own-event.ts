/** Reads events of the account's own stream. */
import { CLOSE_REASONS, type CloseReason, InputFault, microUsd, parseTime, priceBps } from '../../../domain/index.ts';
import {
  type DataOf,
  type FillFieldsFragment,
  type OPERATIONS,
  parseMicroShares,
  parseSafeUint,
} from '../../../protocol/index.ts';
import { checkFill, type OwnFill, type OwnOrderEvent } from '../../base/index.ts';
import type { ExecutionDeps } from './execution-deps.ts';

/** Longest accepted trade id, because ids are stored. */
const MAX_TRADE_ID = 128;

export type WireOrderEvent = NonNullable<DataOf<(typeof OPERATIONS)['orderEvents']>['orderEvents']>;

/** @throws InputFault for an invalid event, naming the field */
export function readOwnEvent(event: WireOrderEvent): OwnOrderEvent {
  const { kind, order, fill, cancelReason } = event;
  if (order === null) throw new InputFault('orderEvents.order', order, `the order that ${kind} is about`);
  const common = {
    seq: parseSafeUint('orderEvents.seq', event.seq),
    at: parseTime('orderEvents.at', event.at),
    hash: order.orderHash.toLowerCase(),
    remaining: parseMicroShares('orderEvents.order.remainingShares', order.remainingShares),
  };
  if (kind === 'ACCEPTED' || kind === 'REDUCED') return { ...common, kind };
  if (kind === 'FILLED' || kind === 'REVERSED') {
    if (fill === null) throw new InputFault('orderEvents.fill', fill, 'the fill');
    return { ...common, kind, fill: readFill(fill) };
  }
  if (kind === 'CANCELLED') return { ...common, kind: 'CLOSED', reason: parseCloseReason(cancelReason) };
  if (kind === 'EXPIRED') return { ...common, kind: 'CLOSED', reason: 'EXPIRED' };
  throw new InputFault('orderEvents.kind', kind, 'a kind of order event');
}

/** Returns the close reason; `ADMIN` for a reason that the API does not define. */
export function parseCloseReason(reason: string | null): CloseReason {
  return CLOSE_REASONS.find((known) => known === reason) ?? 'ADMIN';
}

/** Checks an unreported fill against event and signed order. @throws InputFault naming the field that differs */
export function checkNewFill(
  event: OwnOrderEvent,
  { orders, view, reporter }: Pick<ExecutionDeps, 'orders' | 'view' | 'reporter'>,
): void {
  if (event.kind !== 'FILLED' || reporter.trades.has(event.fill.tradeId)) return;
  const { seq, hash, fill } = event;
  if (fill.seq !== seq) throw new InputFault('fill.seq', fill.seq, `${seq}, as its event`);
  if (fill.hash !== hash) throw new InputFault('fill.orderId', fill.hash, `${hash}, as its event`);
  const order = orders.byHash(hash);
  if (order === undefined) return;
  const { record, filled } = order;
  checkFill(event.fill, record.command, view.market(record.market).info.id, filled);
}

/** @throws InputFault naming the invalid field */
export function readFill(fill: FillFieldsFragment): OwnFill {
  const { outcome, tradeId } = fill;
  if (outcome === 'CANCELLED') throw new InputFault('fill.outcome', outcome, 'YES or NO');
  if (typeof tradeId !== 'string' || tradeId.length === 0 || tradeId.length > MAX_TRADE_ID)
    throw new InputFault('fill.tradeId', tradeId, `an id of 1 to ${MAX_TRADE_ID} characters`);
  return {
    tradeId,
    hash: fill.orderId.toLowerCase(),
    marketId: fill.marketId,
    outcome,
    side: fill.side,
    price: priceBps(fill.priceBps),
    shares: parseMicroShares('fill.shares', fill.shares),
    fee: microUsd(parseSafeUint('fill.feeMicros', fill.feeMicros)),
    liquidity: fill.role === 'MAKER' ? 'maker' : 'taker',
    seq: parseSafeUint('fill.seq', fill.seq),
    at: parseTime('fill.executedAt', fill.executedAt),
  };
}
