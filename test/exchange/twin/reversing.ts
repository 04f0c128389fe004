/** Reversals of trades. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { availableCash, costOf, freeShares, reservedCash, unbookFill } from './accounts.ts';
import type { AllowReversals, ReverseTrade } from './exchange-types.ts';
import { isFinal } from './market.ts';
import { close } from './matching.ts';
import { emit, type NaiveOrder, type NaiveTrade, openOrders, positionOf, type World } from './world.ts';

/** Returns the trades that can be reversed at a time, oldest first. */
export function reversible({ trades, reversalWindow }: World, now: number): NaiveTrade[] {
  return trades.filter(({ time }) => time > now - reversalWindow);
}

export function allowReversals(world: World, { window }: AllowReversals): RejectReason | undefined {
  if (!Number.isInteger(window) || window < 0 || window > 86_400_000) return 'INVALID_ORDER';
  if (window === world.reversalWindow) return undefined;
  world.trades = reversible(world, world.now);
  world.reversalWindow = window;
  world.trades = reversible(world, world.now);
  emit(world, { type: 'reversalsAllowed', window });
  return undefined;
}

export function reverseTrade(world: World, { trade: seq }: ReverseTrade): RejectReason | undefined {
  const trade = reversible(world, world.now).find((candidate) => candidate.seq === seq);
  if (trade === undefined) return 'NOT_FOUND';
  const market = world.markets[trade.market];
  if (market === undefined || isFinal(market)) return 'ALREADY_FINAL';
  const { maker, taker, shares, fee, yesPrice } = trade;
  const sides = [
    { order: maker, fee: 0, cost: trade.makerCost },
    { order: taker, fee, cost: trade.takerCost },
  ].map((side) => ({ ...side, shares, price: side.order.terms.outcome === 'YES' ? yesPrice : 10_000 - yesPrice }));
  for (const side of sides) {
    const reason = missingFunds(world, side);
    if (reason !== undefined) return reason;
  }
  for (const side of sides) releaseReserves(world, side);
  for (const side of sides) {
    unbookFill(world, side.order, side);
    side.order.filled -= shares;
  }
  world.trades = world.trades.filter((other) => other !== trade);
  const orders = { maker: maker.order, taker: taker.order };
  emit(world, { type: 'tradeReversed', trade: seq, market: trade.market, ...orders, yesPrice, shares, fee });
  return undefined;
}

interface Side {
  readonly order: NaiveOrder;
  readonly price: number;
  readonly shares: number;
  readonly fee: number;
}

function missingFunds(world: World, { order, price, shares, fee }: Side): RejectReason | undefined {
  const { account, market, terms } = order;
  const { yes, no } = positionOf(world, account, market);
  if (terms.side === 'BUY') return (terms.outcome === 'YES' ? yes : no) < shares ? 'INSUFFICIENT_SHARES' : undefined;
  const owner = world.accounts[account - 1];
  const cash = availableCash(world, account) + reservedCash(world, account);
  return cash < costOf(shares, price) - fee && owner?.unlimited !== true ? 'INSUFFICIENT_BALANCE' : undefined;
}

/** Cancels the newest orders that reserve the cash or shares to return, until enough is available. */
function releaseReserves(world: World, { order: { account, market, terms }, price, shares, fee }: Side): void {
  const isShort = (): boolean =>
    terms.side === 'BUY'
      ? freeShares(world, account, market, terms.outcome) < shares
      : availableCash(world, account) < costOf(shares, price) - fee && world.accounts[account - 1]?.unlimited !== true;
  const holding = openOrders(world, (order) =>
    terms.side === 'BUY'
      ? order.account === account &&
        order.market === market &&
        order.terms.side === 'SELL' &&
        order.terms.outcome === terms.outcome
      : order.account === account && order.terms.side === 'BUY',
  );
  for (const order of holding.toReversed()) if (isShort()) close(world, order, 'ADMIN');
}
