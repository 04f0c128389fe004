export { createMarketData } from './market-data.ts';
export type { ServiceMarketData } from './market-data-port.ts';
export { selectMarkets } from './select-markets.ts';
export { ServiceDirectory } from './service-directory.ts';
export { readTerms, type VenueTerms } from './venue-terms.ts';
