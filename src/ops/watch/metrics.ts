/**
 * Prometheus metrics of a bot (docs/metrics.md). All values are computed on each scrape.
 *
 * Invariant: the number of series is bounded. At most `MAX_MARKETS` markets have their own series.
 */
import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import { SHARE } from '../../domain/index.ts';
import { listenOn } from '../../network/index.ts';
import { createMetrics, type MetricSample } from '../../network/metrics/index.ts';
import { oldestBookMs } from '../control/bot-port.ts';
import { usedPart } from '../feed/limit-use.ts';
import type { LimitUse, MarketReportLine, MeasuredReport } from '../feed/report-types.ts';
import type { OrderTimes } from './order-times.ts';
import type { RunCounters } from './run-counters.ts';

export interface MetricsSource {
  /** The bot's report with the use of every limit. Called once for each scrape. */
  readonly report: () => MeasuredReport;
  readonly counters: RunCounters;
  readonly times: OrderTimes;
  readonly unknownOrders: () => number;
  /** Bytes of the bot's database and its write-ahead log; undefined without a database. */
  readonly fileSizes: () => { readonly database: number; readonly wal: number } | undefined;
}

const DOLLAR = 1_000_000;
const MODES = ['ACTIVE', 'REDUCING', 'PAUSED', 'KILLED'] as const;
/** Why no order is signed in a market (`MarketStatusLine.stopped`). */
const STOP_CODES = ['FEE_ABOVE_MAX', 'FEE_ROSE'] as const;
const PNL_CAUSES = ['spread', 'inventory', 'settlement', 'fees', 'rewards', 'rounding'] as const;

export function botMetrics(source: MetricsSource): Registry {
  const { counters, times, unknownOrders, fileSizes } = source;
  const registry = new Registry();
  const seriesMarkets = new SeriesMarkets();
  let report = source.report();
  let listed: readonly MarketReportLine[] = [];
  const { add, counter, gauge } = createMetrics(registry, 'halfspread_bot');
  const addLabelled = (
    type: 'gauge' | 'counter',
    name: string,
    help: string,
    label: string,
    read: () => Iterable<readonly [label: string, value: number]>,
  ): void => add(type, name, help, [label], () => Array.from(read(), ([key, value]) => [value, { [label]: key }]));
  const addOptional = (name: string, help: string, read: () => number | null | undefined): void =>
    add('gauge', name, help, [], () => {
      const value = read() ?? undefined;
      return value === undefined ? [] : [[value]];
    });
  const addPerMarket = (name: string, help: string, read: (line: MarketReportLine) => number | null): void =>
    add('gauge', `market_${name}`, help, ['market'], () =>
      listed.flatMap((line): MetricSample[] => {
        const value = read(line);
        return value === null ? [] : [[value, { market: line.slug }]];
      }),
    );

  // This metric is registered first, so a scrape collects it first. All other metrics then read the same report.
  gauge('up', '1 while the bot runs.', () => {
    report = source.report();
    listed = seriesMarkets.select(report.markets);
    return 1;
  });
  add(
    'gauge',
    'info',
    'Always 1; its labels are the version and whether the bot trades LIVE, on PAPER or as a DEMO.',
    ['version', 'kind'],
    () => [[1, { version: report.version, kind: report.kind }]],
  );
  addLabelled('gauge', 'mode', '1 for the current trading mode.', 'mode', () =>
    MODES.map((mode) => [mode, mode === report.mode ? 1 : 0]),
  );
  gauge('link_up', '1 while the venue is connected.', () => (report.link === 'UP' ? 1 : 0));
  gauge(
    'account_agrees',
    '1 while orders, positions and cash agree with the venue, as far as they were compared.',
    () => (report.reconciled === 'agrees' ? 1 : 0),
  );
  gauge('kill_unverified', '1 after a kill until the venue has confirmed that no order is open.', () =>
    report.mode === 'KILLED' && report.killVerified !== true ? 1 : 0,
  );
  gauge('log_lost', '1 while log lines cannot be written to their file.', () => (report.logProblem === null ? 0 : 1));
  gauge('clock_skew_seconds', "Minimum difference to the venue's clock.", () => report.clockSkewMs / 1000);
  gauge(
    'oldest_book_age_seconds',
    'Age of the oldest book. If the book of a quoted market is missing, the age of the process.',
    () => oldestBookMs(report) / 1000,
  );

  gauge('equity_usd', 'Cash and holdings at the exit side.', () => report.equity / DOLLAR);
  gauge('cash_usd', 'Cash, reserves included.', () => report.cash / DOLLAR);
  gauge('available_usd', 'Cash that no order reserves.', () => report.available / DOLLAR);
  gauge('pnl_usd', 'Profit and loss since this process began.', () => report.run.pnl / DOLLAR);
  const pnlToday = 'Profit and loss since midnight UTC, or since the process began, by cause.';
  addLabelled('gauge', 'pnl_today_usd', pnlToday, 'cause', () =>
    PNL_CAUSES.map((cause) => [cause, report.today[cause] / DOLLAR]),
  );
  gauge(
    'worst_case_usd',
    'Loss if every market has its worst outcome and own orders fill.',
    () => report.worstCase / DOLLAR,
  );
  gauge(
    'volume_usd',
    'Price times shares of all fills since this process began. Falls when the venue takes a fill back.',
    () => counters.volume / DOLLAR,
  );
  gauge(
    'fees_usd',
    'Fees paid since this process began. Falls when the venue takes a fill back.',
    () => counters.fees / DOLLAR,
  );

  gauge('open_orders', 'Orders that are or may be open.', () => report.openOrders);
  gauge('unknown_orders', 'Orders whose answer was lost. They may be open.', unknownOrders);
  gauge('markets', 'Markets of the bot.', () => report.markets.length);
  gauge(
    'markets_without_series',
    'Markets with a position or an order but without series of their own.',
    () => seriesMarkets.omitted,
  );
  addLabelled('gauge', 'stopped_markets', 'Markets in which no order is signed, by reason.', 'code', () =>
    STOP_CODES.map((code) => [code, report.markets.filter(({ stopped }) => stopped === code).length]),
  );
  const twoSidedRatio = 'Time with quotes on both sides over open time since midnight UTC, 0 to 1.';
  addOptional('two_sided_ratio', twoSidedRatio, () => report.twoSided);
  const usedRatio = 'Highest used part of a risk limit over its scopes; 1 is full.';
  addLabelled('gauge', 'limit_used_ratio', usedRatio, 'limit', () => usedParts(report.limits));
  addLabelled('gauge', 'rate_budget_left', 'Requests that the rate limit of the venue still allows.', 'bucket', () =>
    report.rates.map(({ bucket, left }) => [bucket, left]),
  );
  const capacityHelp = 'Most requests that the rate limit of the venue allows at once.';
  addLabelled('gauge', 'rate_budget_capacity', capacityHelp, 'bucket', () =>
    report.rates.map(({ bucket, capacity }) => [bucket, capacity]),
  );
  addOptional('database_bytes', 'Size of the database file. No series on paper.', () => fileSizes()?.database);
  addOptional('database_wal_bytes', 'Size of the write-ahead log. No series on paper.', () => fileSizes()?.wal);

  addPerMarket('position_shares', 'YES less NO shares.', ({ position }) => position / SHARE);
  addPerMarket('worth_usd', 'Value of the holdings at the exit side.', ({ worth }) => worth / DOLLAR);
  addPerMarket(
    'worst_case_usd',
    'Loss if the market has its worst outcome and own orders fill.',
    ({ worst }) => worst / DOLLAR,
  );
  addPerMarket('open_orders', 'Orders that are or may be open in the market.', ({ openOrders }) => openOrders);
  addPerMarket('book_age_seconds', 'Time since the last message about the book.', ({ bookAgeMs }) =>
    bookAgeMs === null ? null : bookAgeMs / 1000,
  );
  addPerMarket('two_sided_ratio', twoSidedRatio, ({ twoSided }) => twoSided);
  add('gauge', 'market_quoted', '1 while an own acknowledged order rests on the side.', ['market', 'side'], () =>
    listed.flatMap(({ slug, ownBid, ownAsk }): MetricSample[] => [
      [ownBid === null ? 0 : 1, { market: slug, side: 'bid' }],
      [ownAsk === null ? 0 : 1, { market: slug, side: 'ask' }],
    ]),
  );

  const markoutUsd =
    'Gain or loss of maker fills since this process began, from their price to the mark when the time in `after` has passed.';
  addLabelled('gauge', 'markout_usd', markoutUsd, 'after', () =>
    report.markouts.map(({ after, micros }) => [after, micros / DOLLAR]),
  );
  const markoutShares = 'Shares of the maker fills in `halfspread_bot_markout_usd`.';
  addLabelled('counter', 'markout_shares_total', markoutShares, 'after', () =>
    report.markouts.map(({ after, shares }) => [after, shares / SHARE]),
  );

  const addCounts = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void =>
    addLabelled('counter', name, help, label, () => Object.entries(read()));
  const commandsTotal = 'Commands sent, by type. A replace counts once for each order that it places.';
  addCounts('commands_total', commandsTotal, 'type', () => counters.commands);
  addCounts('refused_total', 'Intents that risk limits refused, by code.', 'code', () => counters.refused);
  const rejectedTotal = 'Orders, cancels and conversions that the venue rejected, by reason.';
  addCounts('rejected_total', rejectedTotal, 'reason', () => counters.rejected);
  counter('uncertain_total', 'Commands whose answer was lost.', () => counters.uncertain);
  counter('fills_reversed_total', 'Fills that the venue took back.', () => counters.reversedFills);
  const fillsTotal = 'Fills by liquidity, including fills that the venue took back.';
  addCounts('fills_total', fillsTotal, 'liquidity', () => counters.everFilled);
  times.register(registry);
  return registry;
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves metrics for Prometheus at `GET /metrics`. @throws InputFault if the port cannot be opened */
export async function serveMetrics(registry: Registry, port: number, host: string): Promise<MetricsServer> {
  const server = createServer((request, answer) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      answer.writeHead(404).end('GET /metrics\n');
      return;
    }
    registry.metrics().then(
      (text) => answer.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => answer.writeHead(500).end(`${String(error)}\n`),
    );
  });
  return {
    port: await listenOn(server, port, host, 'metrics.port'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the highest used part of each limit over all scopes. Omits limits that are not set. */
function usedParts(limits: readonly LimitUse[]): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  for (const use of limits) {
    if (use.limit !== null) parts.set(use.name, Math.max(usedPart(use), parts.get(use.name) ?? 0));
  }
  return parts;
}

/** Maximum number of markets with their own series. Each market has about ten series. */
export const MAX_MARKETS = 200;

/** Chooses the markets with their own series: from their first position or order until they end. */
class SeriesMarkets {
  readonly #chosen = new Set<string>();
  /** Number of markets with a position or an order, but without series. */
  omitted = 0;

  select(markets: readonly MarketReportLine[]): readonly MarketReportLine[] {
    const present = new Set(markets.filter((line) => line.acceptingOrders || isActive(line)).map(({ slug }) => slug));
    for (const slug of this.#chosen) if (!present.has(slug)) this.#chosen.delete(slug);
    this.omitted = 0;
    for (const line of markets) {
      if (!isActive(line) || this.#chosen.has(line.slug)) continue;
      if (this.#chosen.size < MAX_MARKETS) this.#chosen.add(line.slug);
      else this.omitted += 1;
    }
    return markets.filter(({ slug }) => this.#chosen.has(slug));
  }
}

function isActive({ position, openOrders }: MarketReportLine): boolean {
  return position !== 0 || openOrders > 0;
}
