import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { FileFault } from '../../domain/index.ts';

/** Names for people, from Betfair's `listMarketCatalogue`. Prices, volumes and results in it are not read. */
export interface Catalogue {
  readonly marketId: string;
  readonly market: string;
  readonly event: string;
  readonly runners: ReadonlyMap<number, string>;
}

/** Reads a file with one catalogue entry or a list of them. @throws FileFault */
export function readCatalogue(path: string): Catalogue[] {
  try {
    const entries = FILE.parse(JSON.parse(readFileSync(path, 'utf8')));
    return (Array.isArray(entries) ? entries : [entries]).map((entry) => ({
      marketId: entry.marketId,
      market: entry.marketName,
      event: entry.event?.name ?? '',
      runners: new Map(entry.runners.map(({ selectionId, runnerName }) => [selectionId, runnerName])),
    }));
  } catch (cause) {
    const problem = `no market catalogue (${cause instanceof Error ? cause.message : String(cause)})`;
    const remedy = 'It must hold what listMarketCatalogue answers with EVENT and RUNNER_DESCRIPTION';
    throw new FileFault(path, undefined, problem, remedy, { cause });
  }
}

const ENTRY = z.object({
  marketId: z.string(),
  marketName: z.string(),
  event: z.object({ name: z.string() }).optional(),
  runners: z.array(z.object({ selectionId: z.int(), runnerName: z.string() })),
});
const FILE = z.union([z.array(ENTRY), ENTRY]);
