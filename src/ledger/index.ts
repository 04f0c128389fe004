export {
  askRisk,
  bidRisk,
  exitValue,
  type QuotedLevel,
  quoteReserve,
  type Stake,
  venueExposure,
  type WorstCase,
  worstCase,
} from './exposure.ts';
export { type Held, Holding } from './holding.ts';
export { Ledger } from './ledger.ts';
export type { LedgerFill, LedgerSnapshot, TrialBalance } from './ledger-types.ts';
export { addHalves, type Pnl, type SplitMicros, splitMicros, ZERO_HALVES } from './pnl.ts';
export { PnlSplit, type SplitHalves } from './pnl-split.ts';
export type { Position, Settlement } from './position.ts';
