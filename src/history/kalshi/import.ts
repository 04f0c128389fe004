import { type KalshiMessage, readKalshiMarketRecord } from '../../protocol/kalshi/index.ts';
import { uuidOfName } from '../../runtime/index.ts';
import type { TapeMarket } from '../../tape/index.ts';
import {
  anyLineMatches,
  type CaptureImportOptions,
  importCaptures,
  type VenueImport,
} from '../captures/import-captures.ts';
import { readMarketFile } from '../captures/market-file.ts';
import { ImportCounts } from '../import/counts.ts';
import { type InvalidMessage, KalshiMessages } from './apply-messages.ts';
import { kalshiDecoder } from './decoder.ts';
import { KalshiMarket } from './market-state.ts';

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
export async function importKalshi(options: KalshiImportOptions): Promise<VenueImport> {
  const counts = new ImportCounts();
  const read = options.markets === undefined ? [] : readMarketFile(options.markets, readKalshiMarketRecord, counts);
  const records = new Map(read.map((record) => [record.market, record]));
  const inferPrints = !(await anyLineMatches(options.files, TRADES));
  const kinds: Record<string, number> = {};
  const made = await importCaptures<KalshiMessage | InvalidMessage>({
    options,
    counts,
    kinds,
    key: [read, options.usesYesPrices],
    inferPrints,
    venue: (tapes) => {
      const messages = new KalshiMessages(tapes, counts, records, kinds);
      return {
        decoder: () => kalshiDecoder(options.usesYesPrices),
        apply: (message, file) => messages.apply(message, file),
        endFile: (file) => messages.endFile(file),
        finish: () => messages.resolveByRecords(),
        describe: (ticker) => describe(messages.markets.get(ticker) ?? new KalshiMarket(ticker, records.get(ticker))),
        units: () => unitsOf(inferPrints),
        save: () => messages.save(),
        restore: (saved) => messages.restore(saved),
      };
    },
  });
  return { ...made, kinds };
}

function unitsOf(inferPrints: boolean): string[] {
  const units = [
    'price = dollars x 10000 bps, or cents x 100, exact; sizes round down to 0.01 contract, a contract is a share of 1 USD',
    'NO bids are the ask side at 10000 - price',
  ];
  if (inferPrints) units.push('no trades in the recording: prints are inferred from repeated snapshots, and flagged');
  return units;
}

function describe({ ticker, record, steps }: KalshiMarket): TapeMarket {
  return {
    id: uuidOfName(`kalshi-${ticker}`),
    slug: ticker.toLowerCase(),
    question: record?.title ?? ticker,
    outcomes: ['Yes', 'No'],
    grid: record?.grid ?? { type: 'tick', tickBps: steps.tickBps },
    scheduledResolution: record?.closesAt,
    ...(record?.category !== undefined && { category: record.category }),
    ...(record?.event !== undefined && { eventId: record.event, ...(record.isExclusive && { exclusive: true }) }),
    commissionBps: 0,
  };
}
