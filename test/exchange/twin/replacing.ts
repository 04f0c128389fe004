/** All or nothing: the set is played through on a copy of the whole world in which places rest whatever they could take. */

import { feeOf } from './accounts.ts';
import { closeAll, enter } from './matching.ts';
import { accept, knownOrder, testOne } from './placing.ts';
import type { Refusal, Replace } from './words.ts';
import { type NaiveOrder, openOrders, refuse, type World } from './world.ts';

export function replace(world: World, command: Replace): undefined {
  const cancels = command.cancel === 'all' ? all(world, command) : command.cancel;
  const trial = structuredClone(world);
  const refusals = new Map<number, Refusal>();
  const whole = wholeRefusal(world, command);
  if (whole !== undefined) {
    refuse(world, -1, whole);
    return undefined;
  }
  cancels.forEach((number, entry) => {
    const reason = cancelRefusal(trial, command, number);
    if (reason !== undefined) refusals.set(entry, { reason });
    else for (const order of ofNumber(trial, number)) order.state = 'closed';
  });
  testPlaces(trial, command, cancels).forEach((refusal, at) => {
    if (refusal !== undefined) refusals.set(cancels.length + at, refusal);
  });
  if (refusals.size > 0) for (const [entry, refusal] of refusals) refuse(world, entry, refusal);
  else carryOut(world, command, cancels);
}

function wholeRefusal(world: World, command: Replace): Refusal | undefined {
  if (world.accounts[command.account - 1] === undefined) return { reason: 'NOT_FOUND' };
  if (world.markets[command.market] === undefined) return { reason: 'NOT_FOUND' };
  if (world.mode === 'HALTED') return { reason: 'VENUE_MODE' };
  const { maxBatchCancels, maxBatchOrders } = world.config;
  const isLong = command.cancel !== 'all' && command.cancel.length > maxBatchCancels;
  return isLong || command.place.length > maxBatchOrders ? { reason: 'ABOVE_MAX' } : undefined;
}

function all(world: World, { account, market }: Replace): readonly number[] {
  return openOrders(world, (order) => order.account === account && order.market === market).map(({ order }) => order);
}

function ofNumber(world: World, number: number): NaiveOrder[] {
  return world.orders.filter(({ order }) => order === number);
}

function cancelRefusal(world: World, command: Replace, number: number): Refusal['reason'] | undefined {
  const [order] = ofNumber(world, number);
  if (order?.account !== command.account || order.market !== command.market) return 'NOT_FOUND';
  if (order.lastFill > (command.ifNoFillSince ?? order.lastFill)) return 'CONFLICT';
  return order.state === 'closed' ? 'ALREADY_FINAL' : undefined;
}

/** Tests each place with the ones before it at rest, and their fees held back. */
function testPlaces(trial: World, command: Replace, cancels: readonly number[]): (Refusal | undefined)[] {
  let feesAhead = 0;
  return command.place.map((terms) => {
    const setting = { via: 'replace', replaceable: cancels, mustReplace: command.mustReplace, feesAhead } as const;
    if (terms.market !== command.market) return { reason: 'CONFLICT' };
    if (knownOrder(trial, terms.hash) !== undefined) return { reason: 'CONFLICT' };
    const refusal = testOne(trial, command, terms, setting);
    if (refusal !== undefined) return refusal;
    accept(trial, command, terms, terms.market, 'resting');
    const rate = trial.markets[terms.market]?.feeRateBps ?? 0;
    if (terms.side === 'BUY' && !terms.postOnly) feesAhead += feeOf(rate, terms.shares, terms.price);
    return undefined;
  });
}

function carryOut(world: World, command: Replace, cancels: readonly number[]): void {
  for (const number of cancels) closeAll(world, ofNumber(world, number), 'REPLACED');
  for (const terms of command.place) enter(world, accept(world, command, terms, terms.market, 'taking'));
}
