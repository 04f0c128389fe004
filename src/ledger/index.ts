export { askRisk, bidRisk, exitValue, venueExposure, worstCase } from './exposure.ts';
export { Holding } from './holding.ts';
export { Ledger } from './ledger.ts';
export type { FillEffect, LedgerFill, LedgerSnapshot, Position, Settlement } from './ledger-types.ts';
export type { SplitMicros } from './pnl.ts';
