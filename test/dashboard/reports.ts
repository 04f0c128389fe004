/** Sample reports of bots. */
import type { ReceivedBotReport, ReceivedMarketReport } from '../../src/dashboard/api/report-schema.ts';

type Line = ReceivedBotReport['markets'][number];

const PNL = { from: 0, total: 5, spread: 7, inventory: -2, settlement: 0, fees: 0, rewards: 0, rounding: 0 };

export function marketLine(change: Partial<Line> = {}): Line {
  return {
    slug: 'rain',
    question: 'Will it rain?',
    event: null,
    status: 'OPEN',
    acceptingOrders: true,
    strategy: 'ladder',
    bid: 6_100,
    ask: 6_200,
    doubleMid: 12_300,
    ownBid: 6_090,
    ownAsk: 6_210,
    bookAgeMs: 20,
    openOrders: 2,
    position: 1_000_000,
    worth: 610_000,
    ifYes: 390_000,
    ifNo: -610_000,
    worst: 610_000,
    stopped: null,
    twoSided: 0.9,
    ...change,
  };
}

/** A report of a live bot that quotes one market. */
export function report(change: Partial<ReceivedBotReport> = {}, market: Partial<Line> = {}): ReceivedBotReport {
  return {
    kind: 'LIVE',
    pid: 1,
    version: '0.1.0',
    startedAt: 0,
    now: 0,
    account: '0x0',
    venue: 'http://127.0.0.1:4000',
    mode: 'ACTIVE',
    modeReason: null,
    killReason: null,
    killVerified: null,
    venueMode: 'NORMAL',
    venueModeReason: null,
    nextStep: null,
    link: 'UP',
    reconciled: 'agrees',
    recovery: null,
    clockSkewMs: 0,
    cash: 1_000_000,
    available: 1_000_000,
    equity: 1_610_000,
    pnl: 5,
    openOrders: 2,
    fills: 1,
    refused: [],
    rejected: [],
    today: PNL,
    worstCase: 610_000,
    twoSided: 0.9,
    limits: [{ name: 'max_open_orders', scope: 'account', used: 2, limit: 100, unit: 'COUNT', atBreach: 'refuse' }],
    maxBookAgeMs: 30_000,
    rates: [{ bucket: 'order', left: 10, capacity: 10, perSecond: 1 }],
    answerTimes: null,
    strategies: ['ladder'],
    markets: [marketLine(market)],
    alerts: [],
    ...change,
  };
}

/** A report of one market with 25 levels a side. */
export function marketReport(line: Line, change: Partial<ReceivedMarketReport> = {}): ReceivedMarketReport {
  const level = (price: number) => ({ price, shares: 100_000_000, own: 0, ahead: null });
  const steps = Array.from({ length: 25 }, (_, at) => 10 * at);
  return {
    line,
    tickBps: 10,
    minShares: 1_000_000,
    feeBps: 0,
    endsAt: null,
    averagePrice: 6_000,
    bids: steps.map((step) => level((line.bid ?? 0) - step)),
    asks: steps.map((step) => level((line.ask ?? 0) + step)),
    trades: [],
    orders: [],
    quotes: [],
    today: PNL,
    run: PNL,
    markouts: [],
    uptime: null,
    parameters: [],
    limits: [],
    ...change,
  };
}
