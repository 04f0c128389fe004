/** Commands that cancel or reduce orders. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { LOT } from './accounts.ts';
import type { Cancel, CancelAllOrders, CancelMarketOrders, Reduce } from './exchange-types.ts';
import { close, closeAll, touch } from './matching.ts';
import { emit, type NaiveOrder, next, openOrders, refuse, type World } from './world.ts';

export function cancel(world: World, command: Cancel): RejectReason | undefined {
  if (world.accounts[command.account - 1] === undefined) return 'NOT_FOUND';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  if (command.orders.length > world.config.maxBatchCancels) return 'INVALID_ORDER';
  command.orders.forEach((number, entry) => {
    const order = ownOrder(world, command.account, number);
    const reason = changeRefusal(world, order);
    if (reason !== undefined) refuse(world, entry, { reason });
    else if (order !== undefined) close(world, order, 'USER');
  });
  return undefined;
}

export function reduce(world: World, command: Reduce): RejectReason | undefined {
  const order = ownOrder(world, command.account, command.order);
  const reason = changeRefusal(world, order);
  if (reason !== undefined || order === undefined) return reason;
  const { by } = command;
  if (!Number.isSafeInteger(by) || by <= 0 || by % LOT !== 0) return 'INVALID_LOT';
  if (by >= order.remaining) close(world, order, 'USER');
  else {
    order.remaining -= by;
    touch(world, order);
    world.calls.push(['reduced', next(world), order.order, order.remaining]);
  }
  return undefined;
}

export function cancelMarketOrders(world: World, command: CancelMarketOrders): RejectReason | undefined {
  const { account, market, outcome, side } = command;
  if (world.accounts[account - 1] === undefined || world.markets[market] === undefined) return 'NOT_FOUND';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  const selected = openOrders(
    world,
    ({ terms, ...order }) =>
      order.account === account &&
      order.market === market &&
      (outcome ?? terms.outcome) === terms.outcome &&
      (side ?? terms.side) === terms.side,
  );
  closeAll(world, selected, 'USER');
  return undefined;
}

export function cancelAllOrders(world: World, command: CancelAllOrders): RejectReason | undefined {
  const account = world.accounts[command.account - 1];
  if (account === undefined) return 'NOT_FOUND';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  const own = openOrders(world, (order) => order.account === command.account);
  account.epoch += 1;
  emit(world, { type: 'epochRaised', account: command.account, epoch: account.epoch });
  closeAll(world, own, 'USER');
  return undefined;
}

function ownOrder(world: World, account: number, number: number): NaiveOrder | undefined {
  return world.orders.find((order) => order.order === number && order.account === account);
}

function changeRefusal(world: World, order: NaiveOrder | undefined): RejectReason | undefined {
  if (order === undefined) return 'NOT_FOUND';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  return order.state === 'closed' ? 'ALREADY_FINAL' : undefined;
}
