export { createMarketData } from './market-data.ts';
export type { MarketDataSettings, ServiceMarketData } from './market-data-port.ts';
export { type Selection, selectMarkets } from './select-markets.ts';
export { readTerms, type VenueTerms } from './venue-terms.ts';
