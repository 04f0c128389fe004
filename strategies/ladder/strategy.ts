/** Pure market making: levels at fixed distances around the mid, skewed against the position. See README.md. */
import {
  defineStrategy,
  isQuotable,
  type MarketView,
  makerHandlers,
  type QuoteSpec,
  type StrategyContext,
  type StrategyHandlers,
  sharesFloor,
  withinPosition,
  yesPrice,
  yesSign,
} from 'halfspread';
import { movedToBest } from './best-price.ts';
import { LadderCycle, usesCycles } from './cycle.ts';
import { ladderLevels, priceBases } from './levels.ts';
import { type LadderParams, ladderParams } from './params.ts';

export default defineStrategy({
  name: 'ladder',
  summary: 'Quotes levels at fixed distances around the mid and skews their sizes against the position.',
  params: ladderParams,
  timers: (params) => [{ name: 'refresh', everyMs: milliseconds(params.order_refresh_time) }],
  create(params, context) {
    if (usesCycles(params)) return cycleHandlers(params, context);
    return makerHandlers(context, (market) => levelsOf(params, market), {
      pricePct: params.order_refresh_tolerance_pct,
      minAgeMs: milliseconds(params.order_refresh_time),
      ...maxAge(params),
    });
  },
});

/** Handlers with levels that stay for a cycle, which moves and cancels orders itself. */
function cycleHandlers(params: LadderParams, context: StrategyContext): StrategyHandlers {
  const cycle = new LadderCycle(params);
  let changeSetFor = 0;
  const maker = makerHandlers(
    context,
    (market, { now }) => {
      const mid = market.book.mid();
      if (mid === undefined) return [];
      const quotes = cycle.quotes(now, mid, () => levelsOf(params, market));
      const { nextChange } = cycle;
      if (nextChange > now && nextChange !== changeSetFor) {
        context.timers.set('cycle', { afterMs: nextChange - now });
        changeSetFor = nextChange;
      }
      return withinPosition(quotes, market.position.net, sharesFloor(params.max_position));
    },
    { pricePct: params.order_refresh_tolerance_pct, ...maxAge(params) },
  );
  return {
    ...maker,
    onBook(market, view) {
      if (!isQuotable(market)) cycle.withdraw();
      return maker.onBook?.(market, view);
    },
    onMarket(market, view) {
      if (!isQuotable(market)) cycle.withdraw();
      return maker.onMarket?.(market, view);
    },
    onFill(fill, view) {
      const side = yesSign(fill.outcome, fill.side) === 1 ? 'bid' : 'ask';
      cycle.onFill({ side, price: yesPrice(fill.outcome, fill.price), shares: fill.shares }, view.now);
      return maker.onFill?.(fill, view);
    },
    // A timer of the maker skips a market without orders; at the end of a delay there are none.
    onTimer(timer, view) {
      if (timer.timer !== 'cycle') return maker.onTimer?.(timer, view);
      return context.markets.flatMap((market) => maker.onBook?.(view.market(market), view) ?? []);
    },
  };
}

/** What the ladder wants to quote in a market; nothing while a side of its book is empty. */
export function levelsOf(params: LadderParams, market: MarketView): readonly QuoteSpec[] {
  const mid = market.book.mid();
  if (mid === undefined) return [];
  const levels = ladderLevels(params, priceBases(params, mid, market.position), market.position.net);
  return params.order_optimization_enabled ? movedToBest(params, levels, market) : levels;
}

function maxAge({ max_order_age }: LadderParams): { readonly maxAgeMs?: number } {
  return max_order_age === undefined ? {} : { maxAgeMs: milliseconds(max_order_age) };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000);
}
