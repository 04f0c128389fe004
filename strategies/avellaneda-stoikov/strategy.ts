/** Quotes around a reservation price that is shifted against the position; widths from risk and fill rate. See README.md. */
import {
  defineStrategy,
  type EpochMs,
  FULL_BPS,
  InputFault,
  type MarketNo,
  type MarketView,
  makerHandlers,
  type QuoteSpec,
  sharesFloor,
} from 'halfspread';
import { MarketEstimates } from './market-estimates.ts';
import { modelQuotes } from './model-quotes.ts';
import { type AvellanedaStoikovParams, avellanedaStoikovParams, measuresFillRate } from './params.ts';

export default defineStrategy({
  name: 'avellaneda-stoikov',
  summary:
    'Quotes around a reservation price that is shifted against the position, after Avellaneda and Stoikov, bounded.',
  params: avellanedaStoikovParams,
  timers: (params) => [{ name: 'refresh', everyMs: milliseconds(params.order_refresh_time) }],
  create(params, context) {
    const markets = new Map(context.markets.map(({ market }) => [market, new MarketEstimates(params)]));
    const handlers = makerHandlers(
      context,
      (market, view) => quotes(params, market, { now: view.now, estimates: estimatesOf(markets, market.info.market) }),
      {
        pricePct: params.order_refresh_tolerance_pct,
        minAgeMs: milliseconds(params.order_refresh_time),
        ...(params.max_order_age === undefined ? {} : { maxAgeMs: milliseconds(params.max_order_age) }),
      },
    );
    return {
      ...handlers,
      onStart(view) {
        for (const market of context.markets) requireHorizon(params, view.market(market));
        return undefined;
      },
      onBook(market, view) {
        estimatesOf(markets, market.info.market).observe(view.now, market);
        return handlers.onBook?.(market, view);
      },
      onMarket(market, view) {
        estimatesOf(markets, market.info.market).observe(view.now, market);
        return handlers.onMarket?.(market, view);
      },
      ...(measuresFillRate(params) && {
        onTrade(trade, view) {
          estimatesOf(markets, trade.market).trade(view.now, trade);
          return undefined;
        },
      }),
    };
  },
});

interface QuoteInputs {
  readonly now: EpochMs;
  readonly estimates: MarketEstimates;
}

function quotes(
  params: AvellanedaStoikovParams,
  market: MarketView,
  { now, estimates }: QuoteInputs,
): readonly QuoteSpec[] {
  const mid = market.book.mid();
  const sigma = estimates.sigma();
  const { kappa, intensity } = estimates.fillRate(now);
  if (mid === undefined || sigma === undefined || kappa === undefined) return [];
  const held = market.position.shares;
  const model = modelQuotes(params, {
    mid: mid / FULL_BPS,
    net: held - (params.inventory_target_base_pct / 100) * params.max_position,
    sigma,
    horizon: horizonOf(params, market, now),
    kappa,
    intensity,
  });
  if (model === undefined) return [];
  estimates.halfSpread = (model.ask - model.bid) / 2;
  // The model's floats become prices and sizes here only: bps first, rounded to the grid by makerQuotes.
  const size = (room: number) => sharesFloor(Math.min(params.order_amount, Math.max(0, room)));
  return [
    { side: 'bid', price: model.bid * FULL_BPS, shares: size(params.max_position - held) },
    { side: 'ask', price: model.ask * FULL_BPS, shares: size(params.max_position + held) },
  ];
}

/** Seconds. Never taken from the end of a recording, which a live bot does not know. */
function horizonOf(params: AvellanedaStoikovParams, { info }: MarketView, now: EpochMs): number | undefined {
  if (params.horizon !== undefined || info.scheduledResolution === undefined) return params.horizon;
  return (info.scheduledResolution - now) / 1_000;
}

function requireHorizon(params: AvellanedaStoikovParams, { info }: MarketView): void {
  if (params.model === 'glft' || params.horizon !== undefined || info.scheduledResolution !== undefined) return;
  throw new InputFault('params.horizon', undefined, `seconds, as ${info.slug} has no scheduled resolution`);
}

function estimatesOf(markets: ReadonlyMap<MarketNo, MarketEstimates>, market: MarketNo): MarketEstimates {
  const estimates = markets.get(market);
  if (estimates === undefined) throw new RangeError(`Invariant: market ${market} is not one of this strategy`);
  return estimates;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000);
}
