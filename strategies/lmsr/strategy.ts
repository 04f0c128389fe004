/** Offers the curve of the logarithmic market scoring rule, whose price depends on the own inventory alone. See README.md. */
import {
  defineStrategy,
  FULL_BPS,
  type MarketView,
  makerHandlers,
  sharesFloor,
  toShares,
  withinPosition,
  z,
} from 'halfspread';
import { curveFrom, curveQuotes } from './curve.ts';
import { lmsrParams } from './params.ts';

export default defineStrategy({
  name: 'lmsr',
  summary: "Offers the logarithmic scoring rule's curve: the loss is bounded, whatever the market does.",
  params: lmsrParams,
  state: z.strictObject({
    /** Price at the start, bps, and the position then, micro-shares. */
    start: z.strictObject({ price: z.number(), net: z.int() }).optional(),
  }),
  timers: (params) => [{ name: 'refresh', everyMs: Math.round(params.order_refresh_time * 1_000) }],
  create(params, context) {
    const { state } = context;
    const most = sharesFloor(params.max_position);
    const startOf = (mid: number, { position }: MarketView) => {
      if (params.anchor === 'mid') return { price: mid, net: 0 };
      const start = state.get().start ?? { price: params.anchor_price ?? mid, net: position.net };
      if (state.get().start === undefined) state.set({ start });
      return start;
    };
    return makerHandlers(context, (market) => {
      const mid = market.book.mid();
      if (mid === undefined) return [];
      const { price, net } = startOf(mid, market);
      const bought = toShares(market.position.net - net);
      const quotes = curveQuotes(params, curveFrom(params, price / FULL_BPS), bought);
      return withinPosition(quotes, market.position.net, most);
    });
  },
});
