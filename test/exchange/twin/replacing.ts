/** Replaces orders all or nothing. The checks run on a copy of the world in which new orders rest without matching. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { feeOf } from './accounts.ts';
import type { Refusal, Replace } from './exchange-types.ts';
import { groupOf } from './groups.ts';
import { callerRefusal } from './heartbeats.ts';
import { close, closeAll, enter, reachable } from './matching.ts';
import { accept, checkOrder, knownOrder } from './placing.ts';
import { openOrders, refuse, type World } from './world.ts';

export function replace(world: World, command: Replace): undefined {
  const hasKnown = command.place.length <= world.config.maxBatchOrders && reportRepeated(world, command);
  const reason = wholeRefusal(world, command) ?? setRefusal(world, command, hasKnown);
  if (reason !== undefined) refuse(world, -1, { reason });
  else execute(world, command);
}

function wholeRefusal(world: World, command: Replace): RejectReason | undefined {
  const { cancel, place, mustReplace } = command;
  if (world.markets[command.market] === undefined) return callerRefusal(world, command) ?? 'NOT_FOUND';
  if (callerRefusal(world, command) !== undefined) return callerRefusal(world, command);
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  const { maxBatchCancels, maxBatchOrders } = world.config;
  if (place.length > maxBatchOrders || (cancel !== 'all' && cancel.length > maxBatchCancels)) return 'INVALID_ORDER';
  return mustReplace && (cancel === 'all' || cancel.length !== 1 || place.length !== 1) ? 'INVALID_ORDER' : undefined;
}

/** Reports new orders that were received before, whatever else is invalid. @returns whether there were any */
function reportRepeated(world: World, command: Replace): boolean {
  const known = command.place.map(({ hash }, at) => {
    const order = knownOrder(world, hash);
    if (order?.account === command.account) world.calls.push(['duplicate', placesFrom(command) + at, order.order]);
    else if (order !== undefined) refuse(world, placesFrom(command) + at, { reason: 'SIGNER_NOT_ALLOWED' });
    return order;
  });
  return known.some((order) => order !== undefined);
}

function placesFrom({ cancel }: Replace): number {
  return cancel === 'all' ? 0 : cancel.length;
}

/** Reports each failing cancel, otherwise the first failing new order. @returns the first reason */
function setRefusal(world: World, command: Replace, hasKnown: boolean): RejectReason | undefined {
  const trial = structuredClone(world);
  const reasons = cancelsOf(world, command).map((number, entry) => {
    const reason = cancelRefusal(trial, command, number);
    if (reason !== undefined && command.cancel !== 'all') refuse(world, entry, { reason });
    for (const order of trial.orders) if (order.order === number) order.state = 'closed';
    return reason;
  });
  const first = reasons.find((reason) => reason !== undefined);
  if (first !== undefined) return first;
  if (hasKnown) return 'CONFLICT';
  const [entry, refusal] = placeFailure(trial, command) ?? [];
  if (entry !== undefined && refusal !== undefined) refuse(world, placesFrom(command) + entry, refusal);
  return refusal?.reason;
}

function cancelsOf(world: World, { account, market, cancel }: Replace): readonly number[] {
  if (cancel !== 'all') return cancel;
  return openOrders(world, (order) => order.account === account && order.market === market).map(({ order }) => order);
}

function cancelRefusal(trial: World, command: Replace, number: number): RejectReason | undefined {
  const order = trial.orders.find((placed) => placed.order === number);
  if (order?.account !== command.account) return 'NOT_FOUND';
  if (order.state === 'closed') return isTwice(command, number) && order.remaining > 0 ? 'CONFLICT' : 'ALREADY_FINAL';
  if (order.market !== command.market) return 'CONFLICT';
  return order.lastFill > (command.ifNoFillSince ?? order.lastFill) ? 'CONFLICT' : undefined;
}

function isTwice({ cancel }: Replace, number: number): boolean {
  return cancel !== 'all' && cancel.filter((cancelled) => cancelled === number).length > 1;
}

/** Checks each new order after the earlier ones rest, with the fees of their possible matches deducted. */
function placeFailure(trial: World, command: Replace): [entry: number, refusal: Refusal] | undefined {
  const replaceable = cancelsOf(trial, command);
  let earlierFees = 0;
  for (const [entry, terms] of command.place.entries()) {
    const setting = { via: 'replace', replaceable, mustReplace: command.mustReplace, earlierFees } as const;
    if (terms.market !== command.market) return [entry, { reason: 'CONFLICT' }];
    // The set contains the same signed order twice; earlier repeats are already reported.
    if (knownOrder(trial, terms.hash) !== undefined) return [entry, { reason: 'CONFLICT' }];
    const refusal = checkOrder(trial, command, terms, setting);
    if (refusal !== undefined) return [entry, refusal];
    const rate = trial.markets[terms.market]?.feeRateBps ?? 0;
    const matchable = reachable(trial, { market: terms.market, terms }).reduce(
      (sum, order) => sum + order.remaining,
      0,
    );
    if (terms.side === 'BUY') earlierFees += feeOf(rate, Math.min(matchable, terms.shares), terms.price);
    accept(trial, command, terms, terms.market, 'resting');
  }
  return undefined;
}

function execute(world: World, command: Replace): void {
  const cancelled = cancelsOf(world, command);
  for (const number of cancelled) {
    closeAll(
      world,
      world.orders.filter(({ order }) => order === number),
      'REPLACED',
    );
  }
  for (const terms of command.place) {
    const order = accept(world, command, terms, terms.market, 'taking');
    // An earlier order of the set may have tripped the group.
    if (groupOf(world, order.account, order.group)?.tripped === true) close(world, order, 'ORDER_GROUP_LIMIT');
    else enter(world, order);
  }
}
