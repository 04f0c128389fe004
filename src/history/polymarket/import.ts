import { readPolymarketMarketRecord } from '../../protocol/polymarket/index.ts';
import { type CaptureImportOptions, importCaptures, type VenueImport } from '../captures/import-captures.ts';
import { PolymarketEvents } from './apply-events.ts';

/** Matches trades, also as JSON in a string or a CSV cell. Does not match the field `last_trade_price` of books. */
const TRADES = /event_type[\\"]+\s*:\s*[\\"]+last_trade_price|"transaction_?[hH]ash[\\"]/;

/**
 * Turns market-channel captures into tapes (docs/importing.md#polymarket). `markets` is a file with metadata of Gamma
 * or of the CLOB. Without it, the first token of a market in the recording is YES.
 * @throws FileFault that names file and line
 */
export function importPolymarket(options: CaptureImportOptions): Promise<VenueImport> {
  return importCaptures({
    options,
    readRecord: readPolymarketMarketRecord,
    tradePattern: TRADES,
    getVenueInputs: (records) => records,
    makeVenue: (target) => new PolymarketEvents(target),
  });
}
