import { z } from 'zod';
import { errorMessage, FileFault } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import { listSchema } from '../tape-manifest.ts';

/** Maximum file size. `listMarketCatalogue` returns at most 1,000 markets of about 3 KB each. */
const MAX_BYTES = 16_777_216;

/** The names of one market in a response of Betfair's `listMarketCatalogue`. */
export interface CatalogueMarket {
  readonly marketId: string;
  readonly market: string;
  readonly event: string;
  readonly runners: ReadonlyMap<number, string>;
}

/** Reads a file with one entry or a list of entries. @throws FileFault */
export function readCatalogue(path: string): CatalogueMarket[] {
  try {
    const entries = FILE.parse(parseJson(readFileAtMost(path, MAX_BYTES, 'a market catalogue')));
    return (Array.isArray(entries) ? entries : [entries]).map((entry) => ({
      marketId: entry.marketId,
      market: entry.marketName,
      event: entry.event?.name ?? '',
      runners: new Map(entry.runners.map(({ selectionId, runnerName }) => [selectionId, runnerName])),
    }));
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    const remedy = 'Use a response of listMarketCatalogue with EVENT and RUNNER_DESCRIPTION';
    throw new FileFault(path, undefined, `not a market catalogue (${errorMessage(cause)})`, remedy, { cause });
  }
}

const ENTRY = z.object({
  marketId: z.string(),
  marketName: z.string(),
  event: z.object({ name: z.string() }).optional(),
  runners: listSchema(z.object({ selectionId: z.int(), runnerName: z.string() }), 1_000),
});
const FILE = z.union([listSchema(ENTRY, 10_000), ENTRY]);
