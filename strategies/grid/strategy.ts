/** A grid: cells that buy at their lower line and sell at their upper one, or levels that follow the mid. See README.md. */
import {
  defineStrategy,
  FULL_BPS,
  gridBelow,
  gridDown,
  gridUp,
  InputFault,
  type MarketView,
  makerHandlers,
  type OrderFilled,
  type QuoteSpec,
  sharesFloor,
  withinPosition,
  yesPrice,
  yesSign,
  z,
} from 'halfspread';
import { centreAfter, levelQuotes } from './dynamic-grid.ts';
import { type GridParams, gridParams } from './params.ts';
import { afterFill, cellAt, cellQuotes, cellsSchema, gridLines, netOf, newCells } from './static-grid.ts';

export default defineStrategy({
  name: 'grid',
  summary: 'Buys at the lower line of a cell and sells at its upper one, or quotes levels around a centre.',
  params: gridParams,
  state: z.strictObject({ cells: cellsSchema.optional() }),
  timers: (params) => [{ name: 'refresh', everyMs: Math.round(params.order_refresh_time * 1_000) }],
  create(params, context) {
    const { state } = context;
    const lines = gridLines(params);
    const full = sharesFloor(params.order_amount);
    const most = sharesFloor(params.max_position);
    let centre: number | undefined;
    const staticQuotes = (_market: MarketView, mid: number): readonly QuoteSpec[] => {
      const cells = state.get().cells ?? newCells(params, lines, mid);
      if (state.get().cells === undefined) state.set({ cells });
      return outOfRange(params, mid, netOf(cells, full), cellQuotes(cells, lines, full));
    };
    const dynamicQuotes = (market: MarketView, mid: number): readonly QuoteSpec[] => {
      centre = centreAfter(centre, mid, params);
      return levelQuotes(params, centre, market.position.shares);
    };
    const quotes = params.grid_type === 'static' ? staticQuotes : dynamicQuotes;
    const handlers = makerHandlers(
      context,
      (market) => {
        const mid = market.book.mid();
        return mid === undefined ? [] : withinPosition(quotes(market, mid), market.position.net, most);
      },
      params.grid_type === 'static'
        ? undefined
        : { pricePct: 0, minAgeMs: Math.round(params.order_refresh_time * 1_000) },
    );
    const change = (fill: CellFill, sign: 1 | -1, tag?: string): void => {
      const { cells } = state.get();
      if (cells === undefined) return;
      const side = yesSign(fill.outcome, fill.side) === 1 ? 'bid' : 'ask';
      const cell = tag === undefined ? cellAt(lines, side, yesPrice(fill.outcome, fill.price)) : Number(tag);
      state.set({ cells: afterFill(cells, { cell, side, shares: sign * fill.shares, full }) });
    };
    return {
      ...handlers,
      onStart(view) {
        if (params.grid_type === 'static')
          for (const { market } of context.markets) checkLines(lines, view.market(market));
        return handlers.onStart?.(view);
      },
      onFill(fill, view) {
        change(fill, 1, fill.tag);
        return handlers.onFill?.(fill, view);
      },
      onFillReversed(fill, view) {
        // A venue that takes a fill back does not say its tag.
        change(fill, -1);
        return handlers.onFillReversed?.(fill, view);
      },
    };
  },
});

type CellFill = Pick<OrderFilled, 'outcome' | 'side' | 'price' | 'shares'>;

/** What quotes remain while the mid is outside of the lines. @param net of the cells, micro-shares */
function outOfRange(
  { out_of_range, lower_price: lower = 0, upper_price: upper = 0 }: GridParams,
  mid: number,
  net: number,
  quotes: readonly QuoteSpec[],
): readonly QuoteSpec[] {
  if (out_of_range === 'hold' || (mid >= lower && mid <= upper)) return quotes;
  return quotes.filter(({ side }) => (side === 'bid' ? net < 0 : net > 0));
}

/** @throws InputFault for a cell whose two prices are less than two steps of the market's grid apart */
function checkLines(lines: readonly number[], { info }: MarketView): void {
  for (const [cell, lower] of lines.slice(0, -1).entries()) {
    const bid = gridDown(info.grid, lower);
    const ask = gridUp(info.grid, lines[cell + 1] ?? FULL_BPS);
    if (bid === undefined || ask === undefined) continue;
    const step = bid - (gridBelow(info.grid, bid) ?? 0);
    if (ask - bid >= 2 * step) continue;
    const least = `fewer cells, or lines further apart: a cell has at least two price steps of ${info.slug}`;
    throw new InputFault('params.grid_cells', lines.length - 1, least);
  }
}
