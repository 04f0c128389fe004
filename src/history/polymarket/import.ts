import { type PolymarketMarketRecord, readPolymarketMarketRecord } from '../../protocol/polymarket/index.ts';
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
import { PolymarketEvents } from './apply-events.ts';
import { type CapturedEvent, POLYMARKET_DECODER } from './decoder.ts';
import { PolymarketMarket } from './market-state.ts';

/** What only trades have, also as JSON in a text or in a cell of CSV. A book has a last trade price too. */
const TRADES = /event_type[\\"]+\s*:\s*[\\"]+last_trade_price|"transaction_?[hH]ash[\\"]/;

export interface PolymarketImportOptions extends CaptureImportOptions {
  /** File with market metadata of Gamma or of the CLOB. Default: the first token of a market in the recording is YES. */
  readonly markets?: string | undefined;
}

/**
 * Turns captures of Polymarket's market channel into tapes, by the rules of docs/importing.md#polymarket.
 * @throws FileFault that names file and line
 */
export async function importPolymarket(options: PolymarketImportOptions): Promise<VenueImport> {
  const counts = new ImportCounts();
  const read = options.markets === undefined ? [] : readMarketFile(options.markets, readPolymarketMarketRecord, counts);
  const records = new Map(read.map((record) => [record.market, record]));
  const inferPrints = !(await anyLineMatches(options.files, TRADES));
  const kinds: Record<string, number> = {};
  const made = await importCaptures<CapturedEvent>({
    options,
    counts,
    kinds,
    key: read,
    inferPrints,
    venue: (tapes) => {
      const events = new PolymarketEvents(tapes, counts, records, kinds);
      return {
        decoder: () => POLYMARKET_DECODER,
        apply: (message, file) => events.apply(message, file),
        finish: () => events.resolveByRecords(),
        describe: (id) => describe(events.markets.get(id) ?? new PolymarketMarket(id, records.get(id))),
        units: () => unitsOf([...events.markets.values()], inferPrints),
        save: () => events.save(),
        restore: (saved) => events.restore(saved),
      };
    },
  });
  return { ...made, kinds };
}

function unitsOf(markets: readonly PolymarketMarket[], inferPrints: boolean): string[] {
  const units = [
    'price = dollars x 10000 bps, exact; average prices of trades round to the nearest bps; sizes round down to 0.01 share',
    'both tokens of a market are one YES book: NO levels are the other side at 10000 - price',
  ];
  const unnamed = markets.filter(({ record }) => record === undefined).length;
  if (unnamed > 0) units.push(`YES is the token that came first, in ${unnamed} markets without metadata`);
  if (inferPrints) units.push('no trades in the recording: prints are inferred from repeated books, and flagged');
  return units;
}

function describe({ id, record, assets, steps }: PolymarketMarket): TapeMarket {
  const [yes = '', no = ''] = assets;
  return {
    id: uuidOfName(`polymarket-${id}`),
    slug: record?.slug ?? `polymarket-${id}`,
    question: record?.question ?? `Polymarket ${id}`,
    outcomes: record?.outcomes ?? [`token ${yes}`, no === '' ? `not token ${yes}` : `token ${no}`],
    grid: { type: 'tick', tickBps: steps.tickBps },
    scheduledResolution: record?.endsAt,
    ...(record?.category !== undefined && { category: record.category }),
    ...eventOf(record),
    commissionBps: 0,
  };
}

/** Of the markets of a neg-risk event at most one ends YES. */
function eventOf(record: PolymarketMarketRecord | undefined): Pick<TapeMarket, 'eventId' | 'exclusive'> {
  return record?.negRiskEvent === undefined ? {} : { eventId: record.negRiskEvent, exclusive: true };
}
