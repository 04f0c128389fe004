import { readKalshiMarketRecord } from '../../protocol/kalshi/index.ts';
import { type CaptureImportOptions, importCaptures, type VenueImport } from '../captures/import-captures.ts';
import { KalshiMessages } from './apply-messages.ts';

/** What only trades have, also as JSON in a text or in a cell of CSV. */
const TRADES = /"(yes_price(_dollars)?|taker_side)[\\"]/;

export interface KalshiImportOptions extends CaptureImportOptions {
  /** File with market metadata, as `GET /markets` answers. Default: tickers are the names, prices are whole cents or finer. */
  readonly markets?: string | undefined;
  /** NO levels come in YES prices. Default: what commands in the recording say, else they come in NO prices. */
  readonly usesYesPrices?: boolean | undefined;
}

/**
 * Turns captures of Kalshi's public streams into tapes, by the rules of docs/importing.md#kalshi.
 * @throws FileFault that names file and line
 */
export function importKalshi(options: KalshiImportOptions): Promise<VenueImport> {
  const { usesYesPrices } = options;
  return importCaptures({
    options,
    readRecord: readKalshiMarketRecord,
    trades: TRADES,
    keyOf: (records) => [records, usesYesPrices],
    venue: (target) => new KalshiMessages(target, usesYesPrices),
  });
}
