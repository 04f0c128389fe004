export { ServiceMarketData } from './market-data.ts';
export { ServiceDirectory, selectMarkets } from './service-directory.ts';
export { readTerms, type VenueTerms } from './venue-terms.ts';
