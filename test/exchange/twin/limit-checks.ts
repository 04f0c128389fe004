/** Checks of an order's size, cash, shares and matches. */
import { availableCash, costOf, exposureOf, feeOf, freeShares } from './accounts.ts';
import { groupOf } from './groups.ts';
import { credentialOf } from './heartbeats.ts';
import { bookSide, enter, isBid, reachable, yesPriceOf } from './matching.ts';
import type { Checks, OrderCase } from './order-checks.ts';
import { accept } from './placing.ts';
import { openOrders } from './world.ts';

const MAX_SHARES = 1_000_000_000_000_000;

export function limits(orderCase: OrderCase): Checks {
  const { world, request, terms, setting, market, account } = orderCase;
  const { price, shares, group } = terms;
  const { config } = world;
  const bet = () => costOf(shares, price);
  const hasLimits = terms.side === 'BUY' && !account.unlimited;
  const maxBet = setting.via === 'initial' ? config.maxInitialBet : config.maxBetPerMarket;
  const exposure = () => exposureOf(world, account.account, market.market);
  return [
    ['HEARTBEAT_LAPSED', () => credentialOf(world, request.credential)?.lapsed === true],
    ['GROUP_TRIPPED', () => group !== 0 && groupOf(world, account.account, group)?.tripped === true],
    ['FEE_ABOVE_MAX', () => !(market.feeRateBps <= terms.maxFeeBps)],
    ['BELOW_MIN', () => hasLimits && (shares < market.minOrderShares || bet() < config.minBet)],
    ['ABOVE_MAX', () => shares > MAX_SHARES],
    ['ABOVE_MAX', () => hasLimits && bet() > maxBet],
    ['ABOVE_MAX', () => wouldOverflow(orderCase)],
    [
      'ABOVE_MAX',
      () => /^GT/.test(terms.timeInForce) && openOrders(world, () => true).length >= world.limits.openOrders,
    ],
    ['EXPOSURE_LIMIT', () => hasLimits && exposure() + bet() > config.maxExposurePerMarket],
  ];
}

export function funds(orderCase: OrderCase): Checks {
  const { world, terms, setting, market, account } = orderCase;
  const { price, shares, outcome, side, timeInForce, postOnly } = terms;
  const fee = () => (postOnly ? 0 : feeOf(market.feeRateBps, shares, price));
  const needed = () => costOf(shares, price) + fee() + setting.earlierFees;
  const lacksCash = () => !account.unlimited && availableCash(world, account.account) < needed();
  const free = () => freeShares(world, account.account, market.market, outcome);
  return [
    ['INSUFFICIENT_BALANCE', () => side === 'BUY' && lacksCash()],
    ['INSUFFICIENT_SHARES', () => side === 'SELL' && free() < shares],
    ['POST_ONLY_WOULD_CROSS', () => postOnly && reachable(world, { market: market.market, terms }).length > 0],
    ['FOK_NOT_FILLABLE', () => timeInForce === 'FOK' && !fillsCompletely(orderCase)],
  ];
}

/** Executes the order on a copy of the world, because own orders and tripping groups can prevent matches. */
function fillsCompletely({ world, request, terms }: OrderCase): boolean {
  const trial = structuredClone(world);
  const order = accept(trial, request, terms, terms.market, 'taking');
  enter(trial, order);
  return order.filled === terms.shares;
}

/** A level holds less than 2^53 micro-shares. */
function wouldOverflow({ world, terms, market }: OrderCase): boolean {
  if (terms.timeInForce === 'FOK' || terms.timeInForce === 'FAK') return false;
  const level = bookSide(world, market.market, isBid(terms) ? 'bids' : 'asks').filter(
    (order) => yesPriceOf(order.terms) === yesPriceOf(terms),
  );
  return level.reduce((sum, order) => sum + order.remaining, 0) + terms.shares > Number.MAX_SAFE_INTEGER;
}
