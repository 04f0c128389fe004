export { SimEngine } from './engine.ts';
export { type FeeModel, noFees, takerFees, withCommission } from './fees.ts';
export { constantLatency, type LatencyModel, type SampledLatency, sampledLatency } from './latency.ts';
export {
  assumptionsOf,
  buildModels,
  type LatencyFiles,
  type SimModels,
  type SimOptions,
  simOptionsSchema,
} from './options.ts';
export { type PaperMarket, type PaperSource, PaperVenue } from './paper-venue.ts';
export { sessionLatency } from './session-latency.ts';
export { SimVenue, type SimVenueSetup } from './sim-venue.ts';
export type { SimFill, SimPrint, SimTap, StepTime } from './tap.ts';
