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
export type { FeeModel, LatencyModel, QueueModel } from './ports.ts';
export { logQueue, powerQueue, QUEUE_VARIANTS, type QueueVariant, riskAverseQueue } from './queue.ts';
export { SimVenue, type SimVenueSetup } from './sim-venue.ts';
export type { SimFill, SimPrint, SimTap, StepTime } from './tap.ts';
export type { TradesOnly } from './trades-only.ts';
