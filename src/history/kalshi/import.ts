import { readKalshiMarketRecord } from '../../protocol/kalshi/index.ts';
import { type CaptureImportOptions, importCaptures, type VenueImport } from '../captures/import-captures.ts';
import { KalshiMessages } from './apply-messages.ts';

/** Matches a key that only trades have, even if a string or a CSV cell contains the JSON. */
const TRADES = /"(yes_price(_dollars)?|taker_side)[\\"]/;

export interface KalshiImportOptions extends CaptureImportOptions {
  /** Response of `GET /markets`. Default: tickers as names, and prices in whole cents or finer. */
  readonly markets?: string | undefined;
  /** Whether NO levels have YES prices. Default: as the last recorded command says; false before the first command. */
  readonly usesYesPrices?: boolean | undefined;
}

/** Converts captures of public streams to tapes (docs/importing.md#kalshi). @throws FileFault with file and line */
export function importKalshi(options: KalshiImportOptions): Promise<VenueImport> {
  const { usesYesPrices } = options;
  return importCaptures({
    options,
    readRecord: readKalshiMarketRecord,
    tradePattern: TRADES,
    getVenueInputs: (records) => [records, usesYesPrices],
    makeVenue: (target) => new KalshiMessages(target, usesYesPrices),
  });
}
