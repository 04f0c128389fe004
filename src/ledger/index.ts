export { exitValue, venueExposure, worstCase } from './exposure.ts';
export { Ledger } from './ledger.ts';
export type { FillEffect, LedgerFill, LedgerSnapshot, Position, PositionView, Settlement } from './ledger-types.ts';
export { addHalves, type SplitMicros, splitMicros, ZERO_HALVES } from './pnl.ts';
export { PnlSplit, type SplitHalves } from './pnl-split.ts';
