import { MARKET_STATUSES } from '../domain/index.ts';
import type { AccountState } from './account-state.ts';
import type { MarketView, OpenOrder, OrderPhase } from './view.ts';

/** A phase is written as its index, so append new values. */
const PHASES: readonly OrderPhase[] = ['new', 'live', 'reducing', 'cancelling', 'unknown'];

const NONE = -1;

/** Encodes the account's state as numbers for a hash, without the books, which come from the tape. */
export function encodeState(state: AccountState): Float64Array {
  const { cash, available, exitEquity, externalFills, unexplainedEvents, markets } = state;
  const account = [cash, available, exitEquity, externalFills, unexplainedEvents, markets.length];
  return Float64Array.from([...account, ...markets.flatMap(marketNumbers)]);
}

function marketNumbers({ state, bookTime, mark, position, orders }: MarketView): readonly number[] {
  const { status, acceptingOrders, placeDelay } = state;
  const { yes, no, yesCost, noCost, realized, netCash, fees } = position;
  const values = [MARKET_STATUSES.indexOf(status), Number(acceptingOrders), placeDelay, bookTime ?? NONE, mark ?? NONE];
  const held = [yes, no, yesCost, noCost, realized, netCash, fees];
  return [...values, ...held, orders.length, ...orders.flatMap(orderNumbers)];
}

function orderNumbers(open: OpenOrder): readonly number[] {
  const { order, bot, price, remaining, since } = open;
  const [isYes, isBuy] = [Number(open.outcome === 'YES'), Number(open.side === 'BUY')];
  return [order, bot, isYes, isBuy, price, remaining, PHASES.indexOf(open.phase), since, Number(open.rests)];
}
