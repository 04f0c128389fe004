/**
 * Checks one line of a quote set, or one take, together with other orders and the lines granted before it.
 *
 * Policies are total and change nothing. Each refuses only what makes its figure worse, so an account beyond a limit can
 * always reduce.
 */
import {
  column,
  complement,
  costAt,
  FULL_BPS,
  gridDown,
  gridUp,
  LOT,
  MAX_ORDER_SHARES,
  type MarketInfo,
  mulDivCeil,
  onGrid,
  type PriceBps,
  type Refused,
  type RiskCode,
  type Sign,
} from '../domain/index.ts';
import { venueExposure } from '../ledger/index.ts';
import { refusal } from './check-context.ts';
import type { Candidate, Tally } from './tally.ts';

/** Returns a refusal, or undefined when the candidate passes. */
export type LinePolicy = (candidate: Candidate, tally: Tally) => Refused | undefined;

/** `max_order`; micro-shares. */
const maxOrder: LinePolicy = (candidate, tally) =>
  above(tally, 'MAX_ORDER', tally.inputs.context.limits.maxOrder, candidate.shares);

/** The venue's smallest BUY, as shares and as a bet, at this price; micro-shares. What is sold has no minimum. */
const belowMin: LinePolicy = (candidate, tally) => {
  if (candidate.bought < candidate.shares) return undefined;
  const least = smallestBuy(candidate, tally);
  return candidate.shares < least ? refuse(tally, 'BELOW_MIN', least, candidate.shares) : undefined;
};

/** The venue's largest BUY; micro-USD. */
const aboveMax: LinePolicy = (candidate, tally) =>
  above(tally, 'ABOVE_MAX', tally.inputs.market.limits.maxBet, candidate.bet);

/** `price_collar_bps` around the mid; bps, rounded up. Before the first mid every distance is the whole 10000. */
const priceCollar: LinePolicy = (candidate, tally) => {
  const { mark } = tally.inputs.market;
  const distance = mark === undefined ? 10_000 : Math.ceil(Math.abs(2 * candidate.price - mark) / 2);
  return above(tally, 'PRICE_COLLAR', tally.inputs.context.limits.priceCollarBps, distance);
};

/**
 * Own bids stay below own asks, whichever strategy and leg they are of; YES bps. A taking is compared with every own
 * order, also with those of its own strategy.
 */
const selfTrade: LinePolicy = (candidate, tally) => {
  const facing = tally.facing(candidate.sign);
  const clear = candidate.sign === 1 ? candidate.price < facing : candidate.price > facing;
  return clear ? undefined : refuse(tally, 'SELF_TRADE', facing, candidate.price);
};

/** `max_position`: |YES - NO| if all of the side fills; micro-shares. */
const maxPosition: LinePolicy = (candidate, tally) => {
  const { context, market } = tally.inputs;
  return above(
    tally,
    'MAX_POSITION',
    context.limits.maxPosition,
    candidate.sign * market.position.net + tally.open(candidate.sign) + candidate.shares,
  );
};

/** `max_notional_usd`: worst-case loss of the market; micro-USD. What cannot be reckoned exactly is beyond any limit. */
const maxNotional: LinePolicy = ({ worst }, tally) => {
  const limit = Math.min(tally.inputs.context.limits.maxNotional, Number.MAX_SAFE_INTEGER);
  return worst > tally.worst ? above(tally, 'MAX_MARKET_NOTIONAL', limit, worst) : undefined;
};

/** `max_total_notional_usd`: sum of the worst cases of all markets; micro-USD. */
const maxTotalNotional: LinePolicy = ({ worst }, tally) => {
  const limit = tally.inputs.context.limits.maxTotalNotional;
  if (worst + tally.elsewhere().worst <= limit || worst <= tally.worst) return undefined;
  return above(tally, 'MAX_TOTAL_NOTIONAL', limit, worst + tally.elsewhere(true).worst);
};

/**
 * The venue's exposure of the account in the market (docs/spec/venue.md#limits), coarser than the worst case;
 * micro-USD.
 */
const exposureLimit: LinePolicy = (candidate, tally) => {
  if (candidate.bought === 0) return undefined;
  const { market, others } = tally.inputs;
  const reserves = others.reserve + tally.reserve + candidate.reserve;
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
const funds: LinePolicy = (candidate, tally) => {
  if (candidate.bought === 0) return undefined;
  const { taking, funds } = tally.inputs;
  if (taking) return above(tally, 'INSUFFICIENT_BALANCE', funds, candidate.reserve);
  if (candidate.bought < candidate.shares) return undefined;
  return above(
    tally,
    'INSUFFICIENT_BALANCE',
    funds,
    costAt(column.shares(smallestBuy(candidate, tally)), legPrice(candidate)),
  );
};

/** `max_open_orders` of the account; a taking never rests. */
const maxOpenOrders: LinePolicy = (_candidate, tally) => {
  const { context, others, taking } = tally.inputs;
  if (taking) return undefined;
  const here = others.orders + tally.orders + 1;
  if (here + tally.elsewhere().orders <= context.limits.maxOpenOrders) return undefined;
  return above(tally, 'MAX_OPEN_ORDERS', context.limits.maxOpenOrders, here + tally.elsewhere(true).orders);
};

/** All policies in order; the first refusal is returned. */
export const refusalOf: LinePolicy = (candidate, tally) =>
  maxOrder(candidate, tally) ??
  belowMin(candidate, tally) ??
  aboveMax(candidate, tally) ??
  priceCollar(candidate, tally) ??
  selfTrade(candidate, tally) ??
  maxPosition(candidate, tally) ??
  maxNotional(candidate, tally) ??
  maxTotalNotional(candidate, tally) ??
  exposureLimit(candidate, tally) ??
  funds(candidate, tally) ??
  maxOpenOrders(candidate, tally);

/** The smallest BUY that the venue takes at the leg's price, by shares and by bet; micro-shares. */
function smallestBuy(candidate: Candidate, { inputs }: Tally): number {
  const { minBet, minOrderShares } = inputs.market.limits;
  return Math.max(minOrderShares, mulDivCeil(minBet, 1, legPrice(candidate)) * LOT);
}

function legPrice({ sign, price }: Candidate): PriceBps {
  return sign === 1 ? price : complement(price);
}

function above(tally: Tally, code: RiskCode, limit: number, was: number): Refused | undefined {
  return was > limit ? refuse(tally, code, limit, was) : undefined;
}

function refuse(tally: Tally, code: RiskCode, limit: number, was: number): Refused {
  return refusal(tally.inputs.market.info.market, code, limit, was);
}

/**
 * Refuses a price off the grid, YES terms; a take (no sign) may use a price of either side's grid. The limit in the refusal
 * is the nearest price on the passive side, or 0.
 */
export function offGrid(info: MarketInfo, price: number, sign?: Sign): Refused | undefined {
  if (Number.isInteger(price) && price > 0 && price < FULL_BPS && onGrid(info.grid, price, sign)) return undefined;
  const nearest = sign === -1 ? gridUp(info.grid, price) : gridDown(info.grid, price);
  return refusal(info.market, 'OFF_GRID', nearest ?? 0, price);
}

/** Refuses a size that is not a whole number of lots from one lot to the venue's largest order; micro-shares. */
export function offSize(info: MarketInfo, shares: number): Refused | undefined {
  if (shares > MAX_ORDER_SHARES) return refusal(info.market, 'MAX_ORDER', MAX_ORDER_SHARES, shares);
  if (!Number.isSafeInteger(shares) || shares % LOT !== 0) return refusal(info.market, 'OFF_LOT', LOT, shares);
  return shares < LOT ? refusal(info.market, 'BELOW_MIN', LOT, shares) : undefined;
}
