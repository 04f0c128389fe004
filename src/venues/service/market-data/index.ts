export { createMarketData } from './market-data.ts';
export type { MarketData, MarketDataSettings, MarketDataSink } from './market-data-port.ts';
export { selectMarkets } from './select-markets.ts';
export type { Selected, Selection, VenueTerms } from './selection-port.ts';
export { readTerms } from './venue-terms.ts';
