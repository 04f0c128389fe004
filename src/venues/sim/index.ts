export {
  buildModels,
  describeAssumptions,
  type LatencyFiles,
  type SimModels,
  type SimOptions,
  simOptionsSchema,
} from './options.ts';
export { type PaperMarket, PaperVenue } from './paper-venue.ts';
export { measureSessionLatency } from './session-latency.ts';
export type { SimFill, SimObserver, SimPrint } from './sim-observer.ts';
export { SimVenue } from './sim-venue.ts';
