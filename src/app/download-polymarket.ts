/** Downloads past trades or prices of Polymarket without an account, and imports them to tapes. */
import { appendFileSync, closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wallClock } from '../clock/index.ts';
import { formatTime, unchecked } from '../domain/index.ts';
import {
  importFiles,
  importPolymarket,
  mappingSchema,
  PartialFile,
  writeFault,
  writeFileAtomically,
} from '../history/index.ts';
import { HttpClient } from '../network/index.ts';
import {
  type HistorySource,
  type ListedMarket,
  listMarkets,
  type MarketQuery,
  priceHistory,
  tradePages,
} from '../venues/polymarket/index.ts';

const NAME = 'polymarket';

export interface PolymarketDownload {
  readonly folder: string;
  readonly choice: MarketQuery;
  /** Prices become candles of one minute. */
  readonly content: 'trades' | 'prices';
  readonly gammaUrl: string;
  readonly clobUrl: string;
  readonly dataUrl: string;
  readonly log: (text: string) => void;
}

/**
 * Writes a file of JSON lines per market, then a tape per market. Keeps complete files of resolved markets, so that a
 * killed download continues with the market at which it stopped.
 * @throws Fault LINK or VENUE; InputFault for a market that the venue does not list; FileFault for a full disk
 */
export async function downloadPolymarket(settings: PolymarketDownload, onProgress: (fraction: number) => void) {
  const { folder, content, choice, gammaUrl, dataUrl, log } = settings;
  const source = { http: new HttpClient({ clock: wallClock() }), clock: wallClock() };
  try {
    const listed = await listMarkets(source.http, gammaUrl, choice);
    const markets = join(folder, `${NAME}-markets.json`);
    writeFileAtomically(markets, JSON.stringify(listed.map(({ json }) => json)));
    const files: string[] = [];
    for (const [index, market] of listed.entries()) {
      files.push(await downloadMarket(market, settings, source));
      onProgress((index + 1) / listed.length);
    }
    const name = `${NAME}-${content}`;
    const onWarning = (text: string): void => log(`warning: ${text}`);
    const common = { files, folder, separate: true, onWarning };
    if (content === 'prices')
      return await importFiles({ ...common, format: 'jsonl', mapping: toPricesMapping(name, listed) });
    return await importPolymarket({ ...common, name, markets, description: `Trades of ${dataUrl}.` });
  } finally {
    source.http.close();
  }
}

async function downloadMarket({ record }: ListedMarket, settings: PolymarketDownload, source: HistorySource) {
  const { folder, content, log, clobUrl, dataUrl } = settings;
  const { market, winner, assets, closedAt = Number.POSITIVE_INFINITY } = record;
  const name = toFileName(record);
  const path = join(folder, `${name}.${content}.jsonl`);
  // A file that was written before the market closed lacks the last trades.
  if (winner !== undefined && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > closedAt) return path;
  if (content === 'trades') log(`${name}: ${await writeTrades(path, tradePages(source, dataUrl, market))} trades`);
  else {
    const prices = await priceHistory(source, clobUrl, assets[0]);
    // The venue's time is the end of the minute. A candle's time is the start.
    const lines = prices.map(({ t, p }) => `${JSON.stringify({ market: name, time: t - 60, price: p })}\n`);
    writeFileAtomically(path, lines.join(''));
    log(`${name}: ${prices.length} prices`);
  }
  return path;
}

/** Returns the venue's slug, or the market's id if the slug is not a safe file name. */
function toFileName({ slug = '', market }: ListedMarket['record']): string {
  return /^[\w-]{1,150}$/.test(slug) ? slug : market;
}

/**
 * Collects the pages in a temporary file, then writes them in reverse order, because the newest page arrives first.
 * @throws FileFault if a file cannot be written
 */
async function writeTrades(path: string, pages: AsyncIterable<readonly unknown[]>): Promise<number> {
  let partial: PartialFile | undefined;
  let pagesFile: number | undefined;
  try {
    partial = new PartialFile(path);
    pagesFile = openSync(`${partial.path}.pages`, 'w+');
    const sizes: number[] = [];
    let trades = 0;
    for await (const page of pages) {
      const bytes = Buffer.from(page.map((trade) => `${JSON.stringify(trade)}\n`).join(''));
      writeFileSync(pagesFile, bytes);
      sizes.push(bytes.length);
      trades += page.length;
    }
    copyReversed(pagesFile, sizes, partial.path);
    partial.finish();
    return trades;
  } catch (cause) {
    // Requests fail with a Fault. Only files fail with an error of a system call.
    throw cause instanceof Error && 'syscall' in cause ? writeFault(path, cause) : cause;
  } finally {
    if (pagesFile !== undefined) closeSync(pagesFile);
    partial?.abandon();
  }
}

function copyReversed(from: number, sizes: readonly number[], path: string): void {
  writeFileSync(path, '');
  let end = sizes.reduce((sum, size) => sum + size, 0);
  for (const size of sizes.toReversed()) {
    const page = Buffer.alloc(size);
    end -= size;
    if (readSync(from, page, 0, size, end) !== size)
      throw new Error('Invariant: a page of trades is as long as written');
    appendFileSync(path, page);
  }
}

function toPricesMapping(name: string, listed: readonly ListedMarket[]) {
  const close = { column: 'price', unit: 'dollars' };
  return mappingSchema.parse({
    version: 1,
    name,
    description: 'prices of the YES token a minute apart',
    time: { column: 'time', format: 'epoch_s' },
    rows: [{ means: 'candle', close, volume: { constant: 1, unit: 'shares' }, length_ms: 60_000 }],
    market: { column: 'market' },
    grid: { tick_bps: 1 },
    markets: listed.map(({ record }) => {
      const { slug, question, outcomes, category, endsAt } = record;
      const scheduled_resolution = endsAt === undefined ? undefined : formatTime(endsAt);
      const instrument = toFileName(record);
      return { instrument, slug, question, outcomes, category, scheduled_resolution, ...toResolution(record) };
    }),
  });
}

function toResolution({ winner, assets, closedAt, endsAt }: ListedMarket['record']) {
  const at = closedAt ?? endsAt;
  if (winner === undefined || at === undefined) return {};
  const resolution = winner === 'split' ? '5000' : winner === assets[0] ? 'yes' : 'no';
  return { resolution, resolved_at: formatTime(unchecked.time(at)) };
}
