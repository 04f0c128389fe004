/** The tests of an order's size, money and shares, and of what it meets. */
import { availableCash, costOf, exposureOf, feeOf, freeShares } from './accounts.ts';
import { groupOf } from './groups.ts';
import { credentialOf } from './heartbeats.ts';
import { enter, isBid, ladder, reachable, yesPriceOf } from './matching.ts';
import { accept } from './placing.ts';
import type { Case, Tests } from './tests.ts';
import { openOrders } from './world.ts';

const MOST = 1_000_000_000_000_000;

export function limits(one: Case): Tests {
  const { world, request, terms, setting, market, account } = one;
  const { price, shares, group } = terms;
  const { config } = world;
  const bet = () => costOf(shares, price);
  const binds = terms.side === 'BUY' && !account.unlimited;
  const most = setting.via === 'initial' ? config.maxInitialBet : config.maxBetPerMarket;
  const exposure = () => exposureOf(world, account.account, market.market);
  return [
    ['HEARTBEAT_LAPSED', () => credentialOf(world, request.credential)?.lapsed === true],
    ['GROUP_TRIPPED', () => group !== 0 && groupOf(world, account.account, group)?.tripped === true],
    ['FEE_ABOVE_MAX', () => !(market.feeRateBps <= terms.maxFeeBps)],
    ['BELOW_MIN', () => binds && (shares < market.minOrderShares || bet() < config.minBet)],
    ['ABOVE_MAX', () => shares > MOST],
    ['ABOVE_MAX', () => binds && bet() > most],
    ['ABOVE_MAX', () => wouldOverflow(one)],
    [
      'ABOVE_MAX',
      () => /^GT/.test(terms.timeInForce) && openOrders(world, () => true).length >= world.limits.openOrders,
    ],
    ['EXPOSURE_LIMIT', () => binds && exposure() + bet() > config.maxExposurePerMarket],
  ];
}

export function funds(one: Case): Tests {
  const { world, terms, setting, market, account } = one;
  const { price, shares, outcome, side, timeInForce, postOnly } = terms;
  const fee = () => (postOnly ? 0 : feeOf(market.feeRateBps, shares, price));
  const needed = () => costOf(shares, price) + fee() + setting.feesAhead;
  const isPoor = () => !account.unlimited && availableCash(world, account.account) < needed();
  const free = () => freeShares(world, account.account, market.market, outcome);
  return [
    ['INSUFFICIENT_BALANCE', () => side === 'BUY' && isPoor()],
    ['INSUFFICIENT_SHARES', () => side === 'SELL' && free() < shares],
    ['POST_ONLY_WOULD_CROSS', () => postOnly && reachable(world, { market: market.market, terms }).length > 0],
    ['FOK_NOT_FILLABLE', () => timeInForce === 'FOK' && !fillsWhole(one)],
  ];
}

/** Whether the whole of it trades, played through on a copy of the world: own orders and groups that trip in between. */
function fillsWhole({ world, request, terms }: Case): boolean {
  const trial = structuredClone(world);
  const order = accept(trial, request, terms, terms.market, 'taking');
  enter(trial, order);
  return order.filled === terms.shares;
}

/** Levels hold less than 2^53 micro-shares. */
function wouldOverflow({ world, terms, market }: Case): boolean {
  if (terms.timeInForce === 'FOK' || terms.timeInForce === 'FAK') return false;
  const level = ladder(world, market.market, isBid(terms)).filter(
    (order) => yesPriceOf(order.terms) === yesPriceOf(terms),
  );
  return level.reduce((sum, order) => sum + order.left, 0) + terms.shares > Number.MAX_SAFE_INTEGER;
}
