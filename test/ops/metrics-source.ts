/** A fake bot with a value for every metric. */
import type { MarketReportLine, MeasuredReport } from '../../src/ops/feed/report-types.ts';
import { OrderTimes, RunCounters } from '../../src/ops/index.ts';
import type { MetricsSource } from '../../src/ops/watch/metrics.ts';
import { STATUS } from './controlled-bot.ts';

export const LINE: MarketReportLine = {
  slug: 'rain',
  question: 'Will it rain?',
  event: null,
  status: 'OPEN',
  acceptingOrders: true,
  strategy: 'ladder',
  bid: 4_900,
  ask: 5_100,
  doubleMid: 10_000,
  ownBid: 4_900,
  ownAsk: null,
  bookAgeMs: 40,
  openOrders: 1,
  position: 5_000_000,
  worth: 2_500_000,
  ifYes: 1,
  ifNo: -1,
  worst: 3_000_000,
  stopped: null,
  twoSided: 0.75,
};

const { markets, recovery, strategies, refused, rejected, ...present } = STATUS;
const noPnl = { from: 0, total: 0, spread: 0, inventory: 0, settlement: 0, fees: 0, rewards: 0, rounding: 0 };

export const REPORT: MeasuredReport = {
  ...present,
  startedAt: 1_000,
  now: 61_000,
  kind: 'LIVE',
  recovery: null,
  strategies: [],
  refused: [],
  rejected: [],
  today: { ...noPnl, total: 1_500_000, spread: 2_000_000, inventory: -500_000 },
  worstCase: 3_000_000,
  twoSided: 0.75,
  limits: [
    { name: 'max_position', scope: 'rain', used: 5, limit: 10, unit: 'SHARES', atBreach: 'refuse' },
    { name: 'max_position', scope: 'snow', used: 9, limit: 10, unit: 'SHARES', atBreach: 'refuse' },
    { name: 'max_notional_usd', scope: 'rain', used: 9, limit: null, unit: 'USD', atBreach: 'refuse' },
    { name: 'max_open_orders', scope: 'account', used: 0, limit: 0, unit: 'COUNT', atBreach: 'refuse' },
  ],
  maxBookAgeMs: 30_000,
  rates: [{ bucket: 'order', left: 90, capacity: 100, perSecond: 10 }],
  answerTimes: null,
  markets: [LINE],
  alerts: [],
  markouts: [
    { after: 'at fill', micros: 1_500_000, shares: 50_000_000 },
    { after: '5 s', micros: -250_000, shares: 40_000_000 },
  ],
};

export function metricsSource(report: Partial<MeasuredReport> = {}, counters = new RunCounters()): MetricsSource {
  return {
    report: () => ({ ...REPORT, ...report }),
    counters,
    times: new OrderTimes(),
    unknownOrders: () => 2,
    fileSizes: () => ({ database: 4_096, wal: 512 }),
  };
}
