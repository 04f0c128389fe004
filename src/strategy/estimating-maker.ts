/** Handlers of makers that quote a bid and an ask from estimates of a market. */
import { type EpochMs, FULL_BPS, InputFault, type MarketNo, sharesFloor } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { Intents, StrategyContext, StrategyHandlers } from './contract.ts';
import { makerHandlers, type QuoteSpec } from './maker.ts';
import type { MakerEstimates } from './maker-estimates.ts';

/** Parameters of `makerOrderShape`. */
export interface MakerOrderParams {
  readonly order_amount: number;
  readonly max_position: number;
  readonly inventory_target_base_pct: number;
  readonly min_spread: number;
  readonly order_refresh_time: number;
  readonly order_refresh_tolerance_pct: number;
  readonly max_order_age?: number | undefined;
}

/** Inputs of a quote model. Money in USD of the $1 payout, sizes in shares, time in seconds. */
export interface MakerInputs {
  /** In (0, 1). */
  readonly mid: number;
  /** Position net of its target, YES minus NO. */
  readonly net: number;
  /** Volatility: USD, or log-odds, per square root of a second. */
  readonly sigma: number;
  /** Decay of the fill rate, 1/USD or 1/log-odds. */
  readonly kappa: number;
  /** Fill rate of an own order at the mid, 1/s; undefined while unknown or unused. */
  readonly intensity: number | undefined;
  readonly market: MarketView;
  readonly now: EpochMs;
}

/** Prices that a model returns, USD of the $1 payout. A price outside (0, 1) is not quoted. */
export interface MakerModel {
  readonly bid: number;
  readonly ask: number;
  /** Half of the distance between bid and ask in log-odds. Required for estimates in log-odds. */
  readonly half?: number;
}

/**
 * Calls `model` after an update of the book, an own fill or a timer, if the market can be quoted and has estimates.
 * Converts the model's prices to bps, bids rounded down and asks up, and reduces sizes to fit `max_position`.
 * @param createEstimates creates the estimates of one market
 * @param model returns undefined for no quotes; prices that are not finite also give no quotes
 */
export function estimatingMaker(
  context: StrategyContext,
  params: MakerOrderParams,
  createEstimates: () => MakerEstimates,
  model: (inputs: MakerInputs) => MakerModel | undefined,
): StrategyHandlers {
  const byMarket = new Map(context.markets.map(({ market }) => [market, createEstimates()]));
  const findEstimates = (market: MarketNo): MakerEstimates => {
    const found = byMarket.get(market);
    if (found === undefined) throw new RangeError(`Invariant: market ${market} does not belong to this strategy`);
    return found;
  };
  const handlers = makerHandlers(
    context,
    (market, { now }) => computeQuotes(params, market, now, findEstimates(market.info.market), model),
    {
      pricePct: params.order_refresh_tolerance_pct,
      minAgeMs: Math.round(params.order_refresh_time * 1_000),
      ...(params.max_order_age === undefined ? {} : { maxAgeMs: Math.round(params.max_order_age * 1_000) }),
    },
  );
  const requote = (market: MarketView, view: AccountView): Intents => {
    findEstimates(market.info.market).observe(view.now, market);
    return handlers.onBook?.(market, view);
  };
  return {
    ...handlers,
    // Replaces the `onStart` of `handlers`: the estimates are empty until the first book.
    onStart: () => undefined,
    onBook: requote,
    onMarket: requote,
    ...([...byMarket.values()].some(({ measuresFillRate }) => measuresFillRate) && {
      onTrade(trade, view) {
        findEstimates(trade.market).trade(view.now, trade);
        return undefined;
      },
    }),
  };
}

function computeQuotes(
  params: MakerOrderParams,
  market: MarketView,
  now: EpochMs,
  estimates: MakerEstimates,
  model: (inputs: MakerInputs) => MakerModel | undefined,
): readonly QuoteSpec[] {
  const mid = market.book.mid();
  const sigma = estimates.sigma();
  const { kappa, intensity } = estimates.fillRate(now);
  if (mid === undefined || sigma === undefined || kappa === undefined) return [];
  const netShares = market.position.shares;
  const net = netShares - (params.inventory_target_base_pct / 100) * params.max_position;
  const prices = model({ mid: mid / FULL_BPS, net, sigma, kappa, intensity, market, now });
  if (prices === undefined || !Number.isFinite(prices.bid) || !Number.isFinite(prices.ask)) return [];
  const widening = Math.max(0, params.min_spread / FULL_BPS - (prices.ask - prices.bid)) / 2;
  const [bid, ask] = [prices.bid - widening, prices.ask + widening];
  estimates.halfSpread = prices.half ?? (ask - bid) / 2;
  const size = (room: number) => sharesFloor(Math.min(params.order_amount, Math.max(0, room)));
  return [
    { side: 'bid', price: bid * FULL_BPS, shares: size(params.max_position - netShares) },
    { side: 'ask', price: ask * FULL_BPS, shares: size(params.max_position + netShares) },
  ];
}

/** The parameter of `horizonShape`, seconds. */
interface Horizon {
  readonly horizon?: number | undefined;
}

/** Returns the seconds to the horizon, if known. A recording's end is no horizon: a live bot has no such end. */
export function secondsLeft(params: Horizon, { info }: Pick<MarketView, 'info'>, now: EpochMs): number | undefined {
  if (params.horizon !== undefined || info.scheduledResolution === undefined) return params.horizon;
  return (info.scheduledResolution - now) / 1_000;
}

/** @throws InputFault when there is neither a horizon nor a scheduled resolution */
export function requireHorizon(params: Horizon, { info }: Pick<MarketView, 'info'>): void {
  if (params.horizon !== undefined || info.scheduledResolution !== undefined) return;
  throw new InputFault('params.horizon', undefined, `seconds, as ${info.slug} has no scheduled resolution`);
}
