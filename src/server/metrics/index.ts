export { CommitWatch } from './commit-watch.ts';
export { registerVenue, type VenueNumbers } from './venue-metrics.ts';
