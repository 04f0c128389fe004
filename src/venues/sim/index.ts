export { type EngineOutput, type EngineSetup, SimEngine } from './engine.ts';
export { noFees, takerFees, withCommission } from './fees.ts';
export {
  type ConstantLatency,
  constantLatency,
  type SampledLatency,
  type SampledLeg,
  sampledLatency,
} from './latency.ts';
export { assumptionsOf, buildModels, type SimModels, type SimOptions, simOptionsSchema } from './options.ts';
export { type PaperSource, PaperVenue, type PaperVenueSetup } from './paper-venue.ts';
export type { FeeModel, LatencyModel } from './ports.ts';
export { SimVenue, type SimVenueSetup } from './sim-venue.ts';
export type { SimFill, SimPrint, SimTap, StepTime } from './tap.ts';
