export { createMarketData } from './market-data.ts';
export type { BookAge, MarketData, MarketDataOptions, MarketDataSettings, MarketDataSink } from './market-data-port.ts';
export { selectMarkets } from './select-markets.ts';
export type { MarketWish, Selected, Selection, VenueTerms } from './selection-port.ts';
export { limitsOf, readTerms } from './venue-terms.ts';
