/** Quotes around a reservation price that is shifted against the position; widths from risk and fill rate. See README.md. */
import { defineStrategy, estimatingMaker, MakerEstimates, requireHorizon, secondsLeft } from 'halfspread';
import { modelQuotes } from './model-quotes.ts';
import { avellanedaStoikovParams } from './params.ts';

export default defineStrategy({
  name: 'avellaneda-stoikov',
  summary:
    'Quotes around a reservation price that is shifted against the position, after Avellaneda and Stoikov, bounded.',
  params: avellanedaStoikovParams,
  timers: (params) => [{ name: 'refresh', everyMs: Math.round(params.order_refresh_time * 1_000) }],
  create(params, context) {
    const handlers = estimatingMaker(
      context,
      params,
      () => new MakerEstimates(params),
      (inputs) => modelQuotes(params, inputs, secondsLeft(params, inputs.market, inputs.now)),
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
