export { type ListedMarket, listMarkets, type MarketChoice } from './list-markets.ts';
export { MarketStream, MOST_ASSETS } from './market-stream.ts';
export { type HistorySource, priceHistory, tradePages } from './public-history.ts';
