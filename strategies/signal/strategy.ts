/** Quotes around a blend of the book and an outside probability, with a Kelly-sized position. See README.md. */
import {
  defineStrategy,
  FULL_BPS,
  halfSpread,
  makerHandlers,
  type QuoteSpec,
  requireHorizon,
  reservationPrice,
  secondsLeft,
  sharesFloor,
  varianceLeft,
} from 'halfspread';
import { kellyShares } from './blend.ts';
import { SignalEstimates } from './estimates.ts';
import { type SignalParams, signalParams } from './params.ts';

export default defineStrategy({
  name: 'signal',
  summary: 'Quotes around a blend of the book and a probability from outside, with a Kelly-sized position.',
  params: signalParams,
  timers: (params) => [{ name: 'refresh', everyMs: milliseconds(params.order_refresh_time) }],
  signals: ({ signal }) => [`${signal}.p`, `${signal}.sd`],
  create(params, context) {
    const estimates = new SignalEstimates(params, context.log);
    const maker = makerHandlers(
      context,
      (market, { now }) => {
        const mid = market.book.mid();
        const sigma = estimates.sigma();
        const horizon = secondsLeft(params, market, now);
        if (mid === undefined || sigma === undefined || horizon === undefined || horizon <= 0) return [];
        const fair = estimates.fair(now, mid / FULL_BPS);
        return signalQuotes(params, {
          fair,
          variance: varianceLeft(sigma, horizon, fair),
          held: market.position.shares,
        });
      },
      { minAgeMs: milliseconds(params.order_refresh_time) },
    );
    return {
      ...maker,
      onStart(view) {
        for (const market of context.markets) requireHorizon(params, view.market(market));
        return maker.onStart?.(view);
      },
      onBook(market, view) {
        estimates.observe(view.now, market);
        return maker.onBook?.(market, view);
      },
      onMarket(market, view) {
        estimates.observe(view.now, market);
        return maker.onMarket?.(market, view);
      },
      onSignal(signal, view) {
        estimates.onSignal(signal);
        return context.markets.flatMap((market) => maker.onConfig?.(view.market(market), view) ?? []);
      },
    };
  },
});

/** Where the maker is. */
export interface SignalInputs {
  /** Blended probability of YES. */
  readonly fair: number;
  /** Variance of the price left to the horizon, USD². */
  readonly variance: number;
  /** Shares, YES minus NO. */
  readonly held: number;
}

/**
 * A bid and an ask around the reservation price of `fair`, with risk aversion 1 / (kelly_fraction * bankroll_usd). Each is cut
 * so that the position it leads to is within the Kelly position at the price of the quote, and within `max_position`.
 */
export function signalQuotes(params: SignalParams, { fair, variance, held }: SignalInputs): readonly QuoteSpec[] {
  const { kelly_fraction: fraction, bankroll_usd: bankroll, order_amount: amount, kappa, max_position: most } = params;
  const gamma = 1 / (fraction * bankroll);
  const centre = reservationPrice({ mid: fair, net: held, gamma, variance });
  const half = halfSpread({ gamma, kappa, orderAmount: amount, variance });
  const [bid, ask] = [centre - half, centre + half];
  // A quote outside of (0, 1) is not sent: the price grid leaves it out, and Kelly has no size there.
  const kelly = (price: number): number => kellyShares({ probability: fair, price, bankroll, fraction });
  const size = (room: number) => sharesFloor(Math.min(amount, Math.max(0, room)));
  const quotes: readonly QuoteSpec[] = [
    { side: 'bid', price: bid * FULL_BPS, shares: size(Math.min(most, Math.max(0, kelly(bid))) - held) },
    { side: 'ask', price: ask * FULL_BPS, shares: size(Math.min(most, Math.max(0, -kelly(ask))) + held) },
  ];
  return quotes.filter(({ price }) => price > 0 && price < FULL_BPS);
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000);
}
