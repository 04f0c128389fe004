export { ServiceMarketData } from './market-data.ts';
export { ServiceDirectory } from './service-directory.ts';
export { readTerms, type VenueTerms } from './venue-terms.ts';
