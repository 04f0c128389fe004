export { PolymarketDirectory } from './directory.ts';
export { type ListedMarket, listMarkets, type MarketChoice } from './list-markets.ts';
export { PolymarketMarketData } from './market-data.ts';
export type { PolymarketDataSettings } from './market-data-options.ts';
export { MarketStream, MOST_ASSETS } from './market-stream.ts';
export { type HistorySource, priceHistory, tradePages } from './public-history.ts';
