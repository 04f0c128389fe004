/** Commands that place orders. */
import type { RejectReason } from '../../../src/domain/index.ts';
import type { AccountCommand, OrderTerms, Place, PlaceBatch, Refusal } from './exchange-types.ts';
import { callerRefusal } from './heartbeats.ts';
import { enter, touch } from './matching.ts';
import { placeRefusal, type Setting, SINGLE_ORDER } from './order-checks.ts';
import { type NaiveOrder, next, positionOf, refuse, type World } from './world.ts';

export function place(world: World, command: Place): undefined {
  placeOne(world, command, command, 0);
}

export function placeBatch(world: World, command: PlaceBatch): RejectReason | undefined {
  if (command.orders.length > world.config.maxBatchOrders) return callerRefusal(world, command) ?? 'INVALID_ORDER';
  for (const [entry, terms] of command.orders.entries()) placeOne(world, command, terms, entry);
  return undefined;
}

/** Returns the order with the given hash of signed bytes. */
export function knownOrder(world: World, hash: string | undefined): NaiveOrder | undefined {
  return hash === undefined ? undefined : world.orders.find(({ terms }) => terms.hash === hash);
}

/** Creates a checked order. */
export function accept(
  world: World,
  request: AccountCommand,
  terms: OrderTerms,
  market: number,
  state: NaiveOrder['state'],
): NaiveOrder {
  const { account, credential } = request;
  const order: NaiveOrder = {
    order: world.orders.length + 1,
    account,
    credential,
    market,
    terms,
    remaining: terms.shares,
    filled: 0,
    state,
    group: terms.group,
    lastFill: 0,
  };
  world.orders.push(order);
  positionOf(world, account, market);
  if (state === 'waiting') touch(world, order);
  world.calls.push(['accepted', next(world), order.order, account, terms]);
  return order;
}

export function checkOrder(
  world: World,
  request: AccountCommand,
  terms: OrderTerms,
  setting: Setting,
): Refusal | undefined {
  const reason = placeRefusal(world, request, terms, setting, world.markets[terms.market]);
  return reason === undefined ? undefined : { reason };
}

function placeOne(world: World, request: AccountCommand, terms: OrderTerms, entry: number): void {
  const known = knownOrder(world, terms.hash);
  if (known?.account === request.account) {
    world.calls.push(['duplicate', entry, known.order]);
    return;
  }
  const refusal = checkOrder(world, request, terms, SINGLE_ORDER);
  if (refusal !== undefined) refuse(world, entry, refusal);
  else enter(world, accept(world, request, terms, terms.market, 'taking'));
}
