/** Polymarket market data on an embedded or scripted venue, and the books that the core builds from it. */

import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { HttpClient } from '../../../src/network/index.ts';
import type { MarketSetup } from '../../../src/state/index.ts';
import type { MarketDataSink, Selection } from '../../../src/venues/base/index.ts';
import { PolymarketDirectory, PolymarketMarketData } from '../../../src/venues/polymarket/index.ts';
import type { PolymarketDataSettings } from '../../../src/venues/polymarket/market-data.ts';
import { afterThisTest } from '../../cleanup.ts';
import { CoreBooks } from '../service/market-data/core-books.ts';

/** Log lines with their levels. */
interface Logged {
  readonly lines: string[];
  text(): string;
}

export interface MarketDataHarness {
  readonly directory: PolymarketDirectory;
  readonly data: PolymarketMarketData;
  readonly core: CoreBooks;
  readonly logged: Logged;
  select(selection: Selection): Promise<readonly MarketSetup[]>;
  start(selection: Selection, sink?: MarketDataSink): Promise<readonly MarketSetup[]>;
}

/** @param url base URL of the Polymarket API, such as `http://127.0.0.1:1/polymarket`; closed after the test */
export function marketDataHarness(url: string, settings: Partial<PolymarketDataSettings> = {}): MarketDataHarness {
  const clock = wallClock();
  const http = new HttpClient({ clock });
  const lines: string[] = [];
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [
      level,
      (fields: object, message: string) =>
        void lines.push(`${level} ${message} ${JSON.stringify(fields, errorMessage)}`),
    ]),
  ) as Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;
  const directory = new PolymarketDirectory({ http, log, gammaUrl: `${url}/gamma`, clobUrl: url });
  const wsUrl = `${url.replace('http', 'ws')}/ws`;
  const options = { clock, random: seededRandom(1), log, http, clobUrl: url, wsUrl, directory };
  const data = new PolymarketMarketData({ ...options, settings });
  const core = new CoreBooks();
  afterThisTest.add(() => {
    data.close();
    http.close();
  });
  return {
    directory,
    data,
    core,
    logged: { lines, text: () => lines.join('\n') },
    select: (selection) => directory.select(selection),
    async start(selection, sink = core) {
      const markets = await directory.select(selection);
      await data.start(markets, sink);
      return markets;
    },
  };
}

/** A JSON replacer that writes errors as their messages. */
function errorMessage(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
