/**
 * May this one line of a quote set, or this taking, be granted beside what stands and was granted before it?
 *
 * Policies are total and change nothing. Each refuses only what makes its figure worse, so that an account beyond a limit
 * can always go back.
 */
import {
  column,
  complement,
  costAt,
  LOT,
  mulDivCeil,
  type PriceBps,
  type Refused,
  type RiskCode,
} from '../domain/index.ts';
import { venueExposure } from '../ledger/index.ts';
import { refusal } from './refusal.ts';
import type { Tally, Wish } from './tally.ts';

/** Answers the refusal, or undefined when the wish passes. */
export type LinePolicy = (wish: Wish, tally: Tally) => Refused | undefined;

/** `max_order`; micro-shares. */
export const maxOrder: LinePolicy = (wish, tally) =>
  above(tally, 'MAX_ORDER', tally.ground.desk.limits.maxOrder, wish.shares);

/** The venue's smallest BUY, as shares and as a bet, at this price; micro-shares. What is sold has no minimum. */
export const belowMin: LinePolicy = (wish, tally) => {
  if (wish.bought < wish.shares) return undefined;
  const least = smallestBuy(wish, tally);
  return wish.shares < least ? refuse(tally, 'BELOW_MIN', least, wish.shares) : undefined;
};

/** The venue's largest BUY; micro-USD. */
export const aboveMax: LinePolicy = (wish, tally) =>
  above(tally, 'ABOVE_MAX', tally.ground.market.limits.maxBet, wish.bet);

/** `price_collar_bps` around the mid; bps, rounded up. Before the first mid every distance is the whole 10000. */
export const priceCollar: LinePolicy = (wish, tally) => {
  const { mark } = tally.ground.market;
  const distance = mark === undefined ? 10_000 : Math.ceil(Math.abs(2 * wish.price - mark) / 2);
  return above(tally, 'PRICE_COLLAR', tally.ground.desk.limits.priceCollarBps, distance);
};

/**
 * Own bids stay below own asks, whichever strategy and leg they are of; YES bps. A taking is compared with every own
 * order, also with those of its own strategy.
 */
export const selfTrade: LinePolicy = (wish, tally) => {
  const facing = tally.facing(wish.sign);
  const clear = wish.sign === 1 ? wish.price < facing : wish.price > facing;
  return clear ? undefined : refuse(tally, 'SELF_TRADE', facing, wish.price);
};

/** `max_position`: |YES - NO| if all of the side fills; micro-shares. */
export const maxPosition: LinePolicy = (wish, tally) => {
  const { desk, market } = tally.ground;
  return above(
    tally,
    'MAX_POSITION',
    desk.limits.maxPosition,
    wish.sign * market.position.net + tally.open(wish.sign) + wish.shares,
  );
};

/** `max_notional_usd`: worst-case loss of the market; micro-USD. What cannot be reckoned exactly is beyond any limit. */
export const maxNotional: LinePolicy = ({ worst }, tally) => {
  const limit = Math.min(tally.ground.desk.limits.maxNotional, Number.MAX_SAFE_INTEGER);
  return worst > tally.worst ? above(tally, 'MAX_MARKET_NOTIONAL', limit, worst) : undefined;
};

/** `max_total_notional_usd`: sum of the worst cases of all markets; micro-USD. */
export const maxTotalNotional: LinePolicy = ({ worst }, tally) => {
  const limit = tally.ground.desk.limits.maxTotalNotional;
  if (worst + tally.elsewhere().worst <= limit || worst <= tally.worst) return undefined;
  return above(tally, 'MAX_TOTAL_NOTIONAL', limit, worst + tally.elsewhere(true).worst);
};

/**
 * The venue's exposure of the account in the market (docs/spec/venue.md#limits), coarser than the worst case;
 * micro-USD.
 */
export const exposureLimit: LinePolicy = (wish, tally) => {
  if (wish.bought === 0) return undefined;
  const { market, standing } = tally.ground;
  const reserves = standing.reserve + tally.reserve + wish.reserve;
  return above(
    tally,
    'EXPOSURE_LIMIT',
    market.limits.maxExposure,
    venueExposure(market.position, column.usd(reserves)),
  );
};

/**
 * Cash for what has to be bought; micro-USD. A taking needs all of it. A line needs its smallest BUY out of all that the
 * bot has here, as execution shares the cash out among the lines and keeps what rests: refused whole, a line would
 * withdraw what rests of it already, and bots that share a cash box would push each other out in turns.
 */
export const funds: LinePolicy = (wish, tally) => {
  if (wish.bought === 0) return undefined;
  const { taking, funds } = tally.ground;
  if (taking) return above(tally, 'INSUFFICIENT_BALANCE', funds, wish.reserve);
  if (wish.bought < wish.shares) return undefined;
  return above(tally, 'INSUFFICIENT_BALANCE', funds, costAt(column.shares(smallestBuy(wish, tally)), legPrice(wish)));
};

/** `max_open_orders` of the account; a taking never rests. */
export const maxOpenOrders: LinePolicy = (_wish, tally) => {
  const { desk, standing, taking } = tally.ground;
  if (taking) return undefined;
  const here = standing.orders + tally.orders + 1;
  if (here + tally.elsewhere().orders <= desk.limits.maxOpenOrders) return undefined;
  return above(tally, 'MAX_OPEN_ORDERS', desk.limits.maxOpenOrders, here + tally.elsewhere(true).orders);
};

/** All of them in the order in which they are asked: the first that refuses is told. */
export const refusalOf: LinePolicy = (wish, tally) =>
  maxOrder(wish, tally) ??
  belowMin(wish, tally) ??
  aboveMax(wish, tally) ??
  priceCollar(wish, tally) ??
  selfTrade(wish, tally) ??
  maxPosition(wish, tally) ??
  maxNotional(wish, tally) ??
  maxTotalNotional(wish, tally) ??
  exposureLimit(wish, tally) ??
  funds(wish, tally) ??
  maxOpenOrders(wish, tally);

/** The smallest BUY that the venue takes at the leg's price, by shares and by bet; micro-shares. */
function smallestBuy(wish: Wish, { ground }: Tally): number {
  const { minBet, minOrderShares } = ground.market.limits;
  return Math.max(minOrderShares, mulDivCeil(minBet, 1, legPrice(wish)) * LOT);
}

function legPrice({ sign, price }: Wish): PriceBps {
  return sign === 1 ? price : complement(price);
}

function above(tally: Tally, code: RiskCode, limit: number, was: number): Refused | undefined {
  return was > limit ? refuse(tally, code, limit, was) : undefined;
}

function refuse(tally: Tally, code: RiskCode, limit: number, was: number): Refused {
  return refusal(tally.ground.market.info.market, code, limit, was);
}
