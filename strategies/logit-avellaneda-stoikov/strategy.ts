/** Avellaneda and Stoikov in log-odds: width and skew shrink towards 0 and 1. See README.md. */
import { defineStrategy, estimatingMaker, FULL_BPS, MakerEstimates, requireHorizon, secondsLeft } from 'halfspread';
import { logOddsQuotes, logOddsVariance } from './log-odds-quotes.ts';
import { logitParams } from './params.ts';

export default defineStrategy({
  name: 'logit-avellaneda-stoikov',
  summary: 'Avellaneda and Stoikov in log-odds: width and skew shrink towards 0 and 1.',
  params: logitParams,
  timers: (params) => [{ name: 'refresh', everyMs: Math.round(params.order_refresh_time * 1_000) }],
  create(params, context) {
    const { kappa_x: kappa, kappa_x_min: kappa_min, kappa_x_max: kappa_max, min_mid_bps } = params;
    const nearest = min_mid_bps / FULL_BPS;
    const handlers = estimatingMaker(
      context,
      params,
      () => new MakerEstimates({ ...params, kappa, kappa_min, kappa_max }, 'log-odds'),
      (inputs) => {
        const horizon = secondsLeft(params, inputs.market, inputs.now);
        const { mid } = inputs;
        if (horizon === undefined || horizon <= 0 || mid < nearest || mid > 1 - nearest) return undefined;
        const variance = logOddsVariance(inputs.sigma, horizon, mid);
        const gamma = params.gamma_x ?? (params.max_skew_x ?? 0) / (params.max_position * variance);
        if (!(gamma > 0)) return undefined;
        return logOddsQuotes({ ...inputs, variance, gamma, orderAmount: params.order_amount });
      },
    );
    return {
      ...handlers,
      onStart(view) {
        for (const market of context.markets) requireHorizon(params, view.market(market));
        return undefined;
      },
    };
  },
});
