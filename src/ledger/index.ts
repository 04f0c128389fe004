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
export { Holding } from './holding.ts';
export { Ledger, type LedgerFill, type TrialBalance } from './ledger.ts';
export type { Position, Settlement } from './market-account.ts';
export { addHalves, type Pnl, type SplitMicros, splitMicros, ZERO_HALVES } from './pnl.ts';
export { PnlSplit, type SplitHalves } from './pnl-split.ts';
