export { createMarketData } from './market-data.ts';
export type { MarketData, MarketDataSettings, MarketDataSink } from './market-data-port.ts';
export { type Selected, type Selection, selectMarkets } from './select-markets.ts';
export { readTerms, type VenueTerms } from './venue-terms.ts';
