/** The stationary quotes of Guéant, Lehalle and Fernandez-Tapia, with volatility and fill rate as measured. See README.md. */
import { defineStrategy, estimatingMaker, FULL_BPS, MakerEstimates } from 'halfspread';
import { glftQuotes } from './glft.ts';
import { glftParams } from './params.ts';

export default defineStrategy({
  name: 'glft',
  summary: 'Quotes without a horizon, after Guéant, Lehalle and Fernandez-Tapia, with rates measured as it runs.',
  params: glftParams,
  timers: (params) => [{ name: 'refresh', everyMs: Math.round(params.order_refresh_time * 1_000) }],
  create: (params, context) =>
    estimatingMaker(
      context,
      params,
      () => new MakerEstimates(params),
      ({ mid, net, sigma, kappa, intensity }) => {
        if (intensity === undefined) return undefined;
        const { bid, ask } = glftQuotes({
          mid,
          net,
          gamma: params.gamma,
          kappa,
          intensity,
          orderAmount: params.order_amount,
          sigma,
          adjSpread: params.adj_spread,
          adjSkew: params.adj_skew,
          maxHalf: params.max_half_spread_bps / FULL_BPS,
        });
        return { bid, ask };
      },
    ),
});
