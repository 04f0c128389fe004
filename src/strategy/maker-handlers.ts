/** The handlers of a maker whose quotes are a function of what it sees now. */
import { type Intent, isFinal, type MarketNo, type QuoteTolerance } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { StrategyContext, StrategyHandlers } from './contract.ts';
import { isQuotable, makerQuotes, type QuoteWish } from './maker-quotes.ts';

/** What is wished for one market; asked only while the market can be quoted. */
export type MakerWish = (market: MarketView, view: AccountView) => readonly QuoteWish[];

/**
 * Asks `wish` at the start where a book is there already, and again after each book message, own fill, order that the venue closed, status change and timer, and turns
 * the answer into quotes. Withdraws from a market that is halted, one-sided or crossed; claims what a final one pays.
 *
 * A rejected order is not sent again at once, which would knock as often as the answers come: the next message or
 * timer does it. A timer asks nothing of a market where no own order stands and nothing has happened since the timer
 * before: in a long silence risk refuses a stale book once and not every few seconds.
 */
export function makerHandlers(context: StrategyContext, wish: MakerWish, tolerance?: QuoteTolerance): StrategyHandlers {
  const silent = new Set<MarketNo>();
  const wishes = (market: MarketView, view: AccountView): readonly Intent[] => {
    if (isFinal(market.state.status)) return claim(market);
    const quotes = isQuotable(market) ? makerQuotes(market, wish(market, view)) : [];
    return [{ type: 'quote', market: market.info.market, quotes, ...(tolerance === undefined ? {} : { tolerance }) }];
  };
  const requote = (market: MarketView, view: AccountView): readonly Intent[] => {
    silent.delete(market.info.market);
    return wishes(market, view);
  };
  return {
    onStart: (view) =>
      context.markets.flatMap((number) => {
        const market = view.market(number);
        return isQuotable(market) ? wishes(market, view) : [];
      }),
    onBook: requote,
    onMarket: requote,
    onConfig: requote,
    onFill: (fill, view) => requote(view.market(fill.market), view),
    onOrder(news, view) {
      silent.delete(news.market);
      if (news.type !== 'orderClosed' || news.reason === 'USER' || news.reason === 'REPLACED') return undefined;
      return requote(view.market(news.market), view);
    },
    onTimer: (_timer, view) =>
      context.markets.flatMap((number) => {
        const market = view.market(number);
        if (silent.has(number) && !market.orders.some(({ bot }) => bot === context.bot)) return [];
        silent.add(number);
        return wishes(market, view);
      }),
  };
}

function claim({ info, position }: MarketView): readonly Intent[] {
  return position.yes + position.no > 0 ? [{ type: 'claim', market: info.market }] : [];
}
